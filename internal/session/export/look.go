package export

import (
	"context"
	"errors"
	"maps"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// Found is how many values of a kind an entry holds that should not be told.
type Found struct {
	Class, Kind, Entry string
	Count              int
}

// Findings is what a part holds that should not be told, in file order. When ctx
// ended before all was looked through, Looked is less than Of.
type Findings struct {
	Found      []Found
	Looked, Of int
}

// lookStep is how many entries are looked through at a time.
const lookStep = 200

// Look looks for what a part holds that should not be told.
func Look(ctx context.Context, s *store.Session, part Part, r Redactor) (Findings, error) {
	return Options{Part: part, Redactor: r}.Look(ctx, s)
}

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
	for err == nil && f.Looked < len(keep) {
		from, to := f.Looked, min(f.Looked+lookStep, len(keep))
		var some []Found
		err = s.Recorded(ctx, keep[from:to], func(i int, line []byte) error {
			line, err := j.strip(line)
			if err != nil {
				return err
			}
			found, err := look(line, ids[from+i], o.Redactor)
			some = append(some, found...)
			return err
		})
		if err == nil {
			f.Found, f.Looked = append(f.Found, some...), to
		}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = nil // the rest is found when it is written
	}
	return f, err
}

func look(line []byte, entry string, r Redactor) (all []Found, err error) {
	for _, class := range Classes() {
		_, _, counts, err := r.JSON(line, map[string]bool{class: true})
		if err != nil {
			return nil, err
		}
		for _, kind := range slices.Sorted(maps.Keys(counts)) {
			all = append(all, Found{class, kind, entry, counts[kind]})
		}
	}
	return all, nil
}
