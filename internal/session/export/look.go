package export

import (
	"context"
	"errors"

	"sessiontree/internal/session"
	"sessiontree/internal/session/redact"
	"sessiontree/internal/session/store"
)

// Found is a value that should not be told: how often the part holds it, and the
// first entry that does.
type Found struct {
	redact.Value
	Entry string
}

// Findings is what a part holds that should not be told, in file order. When ctx
// ended before all was looked through, Looked is less than Of.
type Findings struct {
	Found      []Found
	Looked, Of int
}

// lookStep is how many entries are looked through at a time.
const lookStep = 200

// Look looks for what would be exported and should not be told, whatever the
// classes are. Whatever it finds, an export looks through each line once more.
func (o Options) Look(ctx context.Context, s *store.Session) (Findings, error) {
	j, err := &Job{s: s, o: o}, o.refused(s)
	if err != nil {
		return Findings{}, err
	}
	var keep []session.Pos
	var ids []string
	s.Read(func(t *session.Tree, _ store.Rev) {
		if keep, err = o.Part.positions(t); err != nil {
			return
		}
		for _, p := range keep {
			ids = append(ids, t.At(p).ID)
		}
	})
	f := Findings{Of: len(keep)}
	at := map[string]int{} // by mark
	for err == nil && f.Looked < len(keep) {
		from, to := f.Looked, min(f.Looked+lookStep, len(keep))
		err = s.Recorded(ctx, keep[from:to], func(i int, line []byte) error {
			line, err := j.strip(line)
			if err != nil {
				return err
			}
			values, err := o.Redactor.Values(line)
			f.add(at, ids[from+i], values)
			return err
		})
		if err == nil {
			f.Looked = to
		}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = nil // the rest is found when it is written
	}
	return f, err
}

// add takes in what an entry holds.
func (f *Findings) add(at map[string]int, entry string, values []redact.Value) {
	for _, v := range values {
		if i, known := at[v.Mark]; known {
			f.Found[i].Count += v.Count
			continue
		}
		at[v.Mark] = len(f.Found)
		f.Found = append(f.Found, Found{v, entry})
	}
}
