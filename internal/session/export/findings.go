package export

import (
	"context"
	"errors"

	"sessiontree/internal/session"
	"sessiontree/internal/session/redact"
	"sessiontree/internal/session/store"
)

// Finding is a sensitive value with the number of its occurrences and the first entry
// that contains it.
type Finding struct {
	redact.Value
	Entry string
}

// Findings are the sensitive values of a part, in file order. Checked is less than Total
// if ctx ended before the scan was complete.
type Findings struct {
	Items          []Finding
	Checked, Total int
}

// checkBatch is the number of entries that are scanned at a time.
const checkBatch = 200

// FindSensitive lists the sensitive values in what would be exported, for all classes. An
// export scans each line again.
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
	at := map[string]int{} // by id
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
		err = nil // the export will scan the rest
	}
	return f, err
}

// addValues adds the values of an entry.
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
