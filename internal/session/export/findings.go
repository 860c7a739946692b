package export

import (
	"context"
	"errors"

	"sessiontree/internal/session"
	"sessiontree/internal/session/redact"
	"sessiontree/internal/session/store"
)

// Finding is a value that should not be told: how often the part holds it, and the
// first entry that does.
type Finding struct {
	redact.Value
	Entry string
}

// Findings is what a part holds that should not be told, in file order. When ctx
// ended before all was looked through, Looked is less than Of.
type Findings struct {
	Items          []Finding
	Checked, Total int
}

// checkBatch is how many entries are looked through at a time.
const checkBatch = 200

// FindSensitive looks for what would be exported and should not be told, whatever the
// classes are. Whatever it finds, an export looks through each line once more.
func (o Options) FindSensitive(ctx context.Context, s *store.Session) (Findings, error) {
	j, err := &Job{s: s, o: o}, o.checkOptions(s)
	if err != nil {
		return Findings{}, err
	}
	var keep []session.Pos
	var ids []string
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		if keep, err = o.Part.selectPositions(t); err != nil {
			return
		}
		for _, p := range keep {
			ids = append(ids, t.At(p).ID)
		}
	})
	f := Findings{Total: len(keep)}
	at := map[string]int{} // by mark
	for err == nil && f.Checked < len(keep) {
		from, to := f.Checked, min(f.Checked+checkBatch, len(keep))
		err = s.ReadRawLines(ctx, keep[from:to], func(i int, line []byte) error {
			line, err := j.stripLine(line)
			if err != nil {
				return err
			}
			values, err := o.Redactor.FindValues(line)
			f.addValues(at, ids[from+i], values)
			return err
		})
		if err == nil {
			f.Checked = to
		}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = nil // the rest is found when it is written
	}
	return f, err
}

// addValues takes in what an entry holds.
func (f *Findings) addValues(at map[string]int, entry string, values []redact.Value) {
	for _, v := range values {
		if i, known := at[v.ID]; known {
			f.Items[i].Count += v.Count
			continue
		}
		at[v.ID] = len(f.Items)
		f.Items = append(f.Items, Finding{v, entry})
	}
}
