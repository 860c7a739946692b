package team

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"sessiontree/internal/session/safefile"
)

// Dir is a Registry in a directory: a journal of all changes, whose result is in memory.
type Dir struct {
	mu      sync.Mutex
	journal journal
	state   *state
}

var _ Registry = (*Dir)(nil)

// OpenDir opens the registry in a directory. The directory is created by the first change.
func OpenDir(path string) (*Dir, error) {
	if !safefile.IsSupported {
		return nil, fmt.Errorf("a hub: %w on this system", errors.ErrUnsupported)
	}
	d := &Dir{state: newState()}
	d.journal = journal{path: filepath.Join(path, journalName), state: d.state, slack: rewriteSlack}
	return d, d.read(func(*state) error { return nil })
}

// read calls fn with the current state.
func (d *Dir) read(fn func(*state) error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.journal.readNew(); err != nil {
		return err
	}
	return fn(d.state)
}

// change stores the record that decide returns, if any.
func (d *Dir) change(ctx context.Context, decide func(*state) (*record, error)) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.journal.change(ctx, func() (*record, error) { return decide(d.state) })
}

// AddPerson implements Registry.
func (d *Dir) AddPerson(ctx context.Context, p Person) error {
	return d.change(ctx, func(s *state) (*record, error) {
		if s.people.has(p.ID) || p.Subject != "" && s.subjects[p.Subject] != "" {
			return nil, ErrExists
		}
		return &record{Person: &p}, nil
	})
}

// FindPerson implements Registry.
func (d *Dir) FindPerson(_ context.Context, id string) (p Person, err error) {
	err = d.read(func(s *state) error { p, err = s.people.find(id); return err })
	return p, err
}

// FindSubject implements Registry.
func (d *Dir) FindSubject(_ context.Context, subject string) (p Person, err error) {
	err = d.read(func(s *state) error { p, err = s.people.find(s.subjects[subject]); return err })
	return p, err
}

// ListPeople implements Registry.
func (d *Dir) ListPeople(context.Context) (people []Person, err error) {
	err = d.read(func(s *state) error { people = s.people.list(func(Person) bool { return true }); return nil })
	return people, err
}

// SetPerson implements Registry.
func (d *Dir) SetPerson(ctx context.Context, id, name string, role Role) error {
	return d.change(ctx, func(s *state) (*record, error) {
		p, err := s.people.find(id)
		p.Name, p.Role = name, role
		return &record{Person: &p}, err
	})
}

// AddCode implements Registry.
func (d *Dir) AddCode(ctx context.Context, c Code) error {
	return d.change(ctx, func(s *state) (*record, error) {
		if s.codes.has(c.Hash) {
			return nil, ErrExists
		}
		return &record{Code: &c}, nil
	})
}

// FindCode implements Registry.
func (d *Dir) FindCode(_ context.Context, code Hash) (c Code, err error) {
	err = d.read(func(s *state) error { c, err = s.codes.find(code); return err })
	return c, err
}

// UseCode implements Registry.
func (d *Dir) UseCode(ctx context.Context, code Hash, kind CodeKind, device string, now time.Time) (c Code, err error) {
	err = d.change(ctx, func(s *state) (*record, error) {
		found, err := s.codes.find(code)
		if err != nil || found.Kind != kind || !found.Used.IsZero() || !now.Before(found.Expires) {
			return nil, ErrCode
		}
		found.Used, found.Device = now, device
		c = found
		return &record{Code: &c}, nil
	})
	if err != nil {
		return Code{}, err
	}
	return c, nil
}

// AddLogin implements Registry.
func (d *Dir) AddLogin(ctx context.Context, l Login) error {
	return d.change(ctx, func(*state) (*record, error) { return &record{Login: &l}, nil })
}

// FindLogin implements Registry.
func (d *Dir) FindLogin(_ context.Context, token Hash, now time.Time) (l Login, err error) {
	err = d.read(func(s *state) error { l, err = s.logins.find(token); return err })
	if err == nil && !now.Before(l.Expires) {
		return Login{}, ErrNotFound
	}
	return l, err
}

// DeleteLogin implements Registry.
func (d *Dir) DeleteLogin(ctx context.Context, token Hash) error {
	return d.change(ctx, func(s *state) (*record, error) {
		if !s.logins.has(token) {
			return nil, nil
		}
		return &record{RemovedLogin: &token}, nil
	})
}

// FindProject implements Registry.
func (d *Dir) FindProject(_ context.Context, name string) (p Project, err error) {
	err = d.read(func(s *state) error { p = s.project(name); return nil })
	return p, err
}

// ListProjects implements Registry.
func (d *Dir) ListProjects(context.Context) (projects []Project, err error) {
	err = d.read(func(s *state) error {
		projects = s.projects.list(func(Project) bool { return true })
		seen := map[string]bool{}
		for _, f := range s.files.list(func(f File) bool { return f.Project != "" && !s.projects.has(f.Project) }) {
			if !seen[f.Project] {
				seen[f.Project] = true
				projects = append(projects, s.project(f.Project))
			}
		}
		return nil
	})
	return projects, err
}

// SetProject implements Registry.
func (d *Dir) SetProject(ctx context.Context, p Project) error {
	return d.change(ctx, func(*state) (*record, error) { return &record{Project: &p}, nil })
}

// AddEvent implements Registry.
func (d *Dir) AddEvent(ctx context.Context, e Event) error {
	return d.change(ctx, func(*state) (*record, error) { return &record{Event: &e}, nil })
}

// ListEvents implements Registry.
func (d *Dir) ListEvents(_ context.Context, f EventFilter) (events []Event, err error) {
	err = d.read(func(s *state) error {
		for _, e := range slices.Backward(s.events) {
			if f.Limit > 0 && len(events) >= f.Limit {
				break
			}
			if !e.Time.Before(f.Since) && s.mayReadEvent(f.Viewer, &e) {
				events = append(events, e)
			}
		}
		return nil
	})
	return events, err
}
