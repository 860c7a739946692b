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

// Registry stores people, devices, projects and files in a directory: as a journal of all
// changes, whose result is in memory. Its methods may be called by several goroutines, and
// other processes may use the same directory. What a method has stored survives a crash. Lists
// are in the order of addition.
type Registry struct {
	mu      sync.Mutex
	journal journal
	state   *state
}

// Open opens the registry in a directory. The directory is created by the first change.
func Open(dir string) (*Registry, error) {
	if !safefile.IsSupported {
		return nil, fmt.Errorf("a hub: %w on this system", errors.ErrUnsupported)
	}
	r := &Registry{journal: journal{path: filepath.Join(dir, journalName)}, state: newState()}
	return r, r.read(func(*state) error { return nil })
}

// read calls fn with the current state.
func (r *Registry) read(fn func(*state) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.journal.readNew(r.state.apply); err != nil {
		return err
	}
	return fn(r.state)
}

// change stores the record that decide returns, if any.
func (r *Registry) change(ctx context.Context, decide func(*state) (*record, error)) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.journal.change(ctx, r.state.apply, func() (*record, error) { return decide(r.state) })
}

// AddPerson adds a person. The error is ErrExists if the id or the subject is known.
func (r *Registry) AddPerson(ctx context.Context, p Person) error {
	return r.change(ctx, func(s *state) (*record, error) {
		if s.people.has(p.ID) || p.Subject != "" && s.subjects[p.Subject] != "" {
			return nil, ErrExists
		}
		return &record{Person: &p}, nil
	})
}

// FindPerson returns the person with an id.
func (r *Registry) FindPerson(id string) (p Person, err error) {
	err = r.read(func(s *state) error { p, err = s.people.find(id); return err })
	return p, err
}

// FindSubject returns the person that an identity provider names so.
func (r *Registry) FindSubject(subject string) (p Person, err error) {
	err = r.read(func(s *state) error { p, err = s.people.find(s.subjects[subject]); return err })
	return p, err
}

// ListPeople returns all people.
func (r *Registry) ListPeople() (people []Person, err error) {
	err = r.read(func(s *state) error { people = s.people.list(func(Person) bool { return true }); return nil })
	return people, err
}

// SetRole sets what a person may do.
func (r *Registry) SetRole(ctx context.Context, person string, role Role) error {
	return r.change(ctx, func(s *state) (*record, error) {
		p, err := s.people.find(person)
		if err != nil {
			return nil, err
		}
		p.Role = role
		return &record{Person: &p}, nil
	})
}

// AddCode adds a one-time code.
func (r *Registry) AddCode(ctx context.Context, c Code) error {
	return r.change(ctx, func(s *state) (*record, error) {
		if s.codes.has(c.Hash) {
			return nil, ErrExists
		}
		return &record{Code: &c}, nil
	})
}

// FindCode returns a code, also a used one.
func (r *Registry) FindCode(code Hash) (c Code, err error) {
	err = r.read(func(s *state) error { c, err = s.codes.find(code); return err })
	return c, err
}

// UseCode marks a code as used. Of several concurrent calls one succeeds. device is the id of
// the device that is added with it, "" for another kind.
func (r *Registry) UseCode(ctx context.Context, code Hash, kind CodeKind, device string, now time.Time) (c Code, err error) {
	err = r.change(ctx, func(s *state) (*record, error) {
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

// AddLogin adds a login.
func (r *Registry) AddLogin(ctx context.Context, l Login) error {
	return r.change(ctx, func(*state) (*record, error) { return &record{Login: &l}, nil })
}

// FindLogin returns the login with a token. The error is ErrNotFound if it has expired.
func (r *Registry) FindLogin(token Hash, now time.Time) (l Login, err error) {
	err = r.read(func(s *state) error { l, err = s.logins.find(token); return err })
	if err == nil && !now.Before(l.Expires) {
		return Login{}, ErrNotFound
	}
	return l, err
}

// DeleteLogin deletes a login. It is no error if there is none.
func (r *Registry) DeleteLogin(ctx context.Context, token Hash) error {
	return r.change(ctx, func(s *state) (*record, error) {
		if !s.logins.has(token) {
			return nil, nil
		}
		return &record{RemovedLogin: &token}, nil
	})
}

// FindProject returns the rules of a project. The error is never ErrNotFound.
func (r *Registry) FindProject(name string) (p Project, err error) {
	err = r.read(func(s *state) error { p = s.project(name); return nil })
	return p, err
}

// ListProjects returns the projects that were set or have files.
func (r *Registry) ListProjects() (projects []Project, err error) {
	err = r.read(func(s *state) error {
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

// SetProject sets the rules of a project.
func (r *Registry) SetProject(ctx context.Context, p Project) error {
	return r.change(ctx, func(*state) (*record, error) { return &record{Project: &p}, nil })
}

// AddEvent adds an event to the record of what people did.
func (r *Registry) AddEvent(ctx context.Context, e Event) error {
	return r.change(ctx, func(*state) (*record, error) { return &record{Event: &e}, nil })
}

// ListEvents returns events, the newest first.
func (r *Registry) ListEvents(f EventFilter) (events []Event, err error) {
	err = r.read(func(s *state) error {
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
