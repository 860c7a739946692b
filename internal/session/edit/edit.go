// Package edit is what people do to a session, as the browser and the command
// line share it: each function asks the programs that listen, has store write,
// and tells what has happened.
package edit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/hook"
	"sessiontree/internal/session/store"
)

// Result is what became of an edit.
type Result struct {
	store.Written
	// Warnings are from programs that were told and failed. What they were told of
	// is done.
	Warnings []string
}

// warn keeps the error of a program that was told.
func (r *Result) warn(err error) {
	if err != nil {
		r.Warnings = append(r.Warnings, err.Error())
	}
}

// Label sets the label of an entry, or clears it with "".
func Label(ctx context.Context, s *store.Session, hooks *hook.Runner, entry, text string, seen store.Seen) (Result, error) {
	var before session.LabelInfo
	s.Read(func(t *session.Tree, _ store.Rev) {
		if p := t.Find(entry); p != session.NoPos {
			before, _ = t.Label(p)
		}
	})
	w, err := s.Apply(ctx, session.Change{Op: session.OpLabel, Entry: entry, Text: text}, seen)
	r := Result{Written: w}
	if done(err) {
		r.warn(hooks.AfterLabel(context.WithoutCancel(ctx), subject(s), hook.Labelled{TargetID: entry, Label: text, Previous: before.Text}))
	}
	return r, err
}

// Rename names the session, or takes its name away with "".
func Rename(ctx context.Context, s *store.Session, name string) (Result, error) {
	return apply(ctx, s, session.Change{Op: session.OpName, Text: name}, store.Seen{})
}

// Pick copies an entry onto the leaf.
func Pick(ctx context.Context, s *store.Session, entry string, seen store.Seen) (Result, error) {
	return apply(ctx, s, Picked(entry), seen)
}

// Merge copies onto the leaf what was said on the way to an entry since its path
// left that of the leaf.
func Merge(ctx context.Context, s *store.Session, entry string, seen store.Seen) (Result, error) {
	c, err := Merged(s, entry)
	if err != nil {
		return Result{}, err
	}
	return apply(ctx, s, c, seen)
}

// Repair gives the leaf back to the newest activity when the file ends on a
// branch that was left.
func Repair(ctx context.Context, s *store.Session, seen store.Seen) (Result, error) {
	c, err := Repaired(s)
	if err != nil {
		return Result{}, err
	}
	return apply(ctx, s, c, seen)
}

func apply(ctx context.Context, s *store.Session, c session.Change, seen store.Seen) (Result, error) {
	w, err := s.Apply(ctx, c, seen)
	return Result{Written: w}, err
}

// Picked is the change that Pick makes.
func Picked(entry string) session.Change {
	return session.Change{Op: session.OpCopy, Copies: []string{entry}}
}

// Merged is the change that Merge makes.
func Merged(s *store.Session, entry string) (c session.Change, err error) {
	c.Op = session.OpCopy
	s.Read(func(t *session.Tree, _ store.Rev) {
		p := t.Find(entry)
		if p == session.NoPos {
			err = unknown(entry)
			return
		}
		for _, at := range t.Plan(t.Leaf(), p).Abandoned { // what would be left on going from there to the leaf
			if e := t.At(at); e.Kind.Copies() {
				c.Copies = append(c.Copies, e.ID)
			}
		}
		if len(c.Copies) == 0 {
			err = fmt.Errorf("%w: nothing was said on the way there that is not on the path to the leaf already", session.ErrInvalid)
		}
	})
	return c, err
}

// Repaired is the change that Repair makes.
func Repaired(s *store.Session) (c session.Change, err error) {
	s.Read(func(t *session.Tree, _ store.Rev) {
		p := t.Elsewhere()
		if p == session.NoPos {
			err = fmt.Errorf("%w: the file ends where its newest activity is: there is nothing to repair", session.ErrInvalid)
			return
		}
		c = session.Change{Op: session.OpRepair, Entry: t.At(p).ID}
	})
	return c, err
}

// Forked is a new session that was made of a path.
type Forked struct {
	store.ForkedFile
	Warnings []string
}

// Fork makes a new session file of the path to an entry. out is its path, "" puts
// it beside the source under the name that the agent would give it.
func Fork(ctx context.Context, s *store.Session, hooks *hook.Runner, entry, out string) (Forked, error) {
	if err := known(s, entry); err != nil {
		return Forked{}, err
	}
	about := subject(s)
	if s.Abilities().Fork.Can() { // else store says why not, and nobody is asked
		if err := hooks.BeforeBranch(ctx, about, entry); err != nil {
			return Forked{}, err
		}
	}
	file, err := s.Fork(ctx, entry, out)
	if !done(err) {
		return Forked{}, err
	}
	f := Forked{ForkedFile: file}
	if file.Left != "" {
		f.Warnings = append(f.Warnings, file.Left)
	}
	if bad := hooks.AfterBranch(context.WithoutCancel(ctx), about, hook.Branched{EntryID: entry, File: file.Path, ID: file.ID}); bad != nil {
		f.Warnings = append(f.Warnings, bad.Error())
	}
	return f, err
}

// done reports whether something was written, so that what belongs to it is to be
// done too.
func done(err error) bool { return err == nil || errors.Is(err, store.ErrUnconfirmed) }

// Live is what to say of a session whose agent may be running, "" when its file
// has not grown of late.
func Live(s *store.Session) string {
	if !s.Live() {
		return ""
	}
	ago := max(0, time.Since(time.UnixMilli(s.AgentWrote())).Round(time.Second))
	return fmt.Sprintf("The file grew %d s ago, so the agent may be running. It does not notice a change until it opens the session again, and what it writes next becomes a sibling of it.", int(ago.Seconds()))
}

// subject is what programs are told of a session.
func subject(s *store.Session) hook.Subject {
	about := hook.Subject{File: s.Path()}
	s.Read(func(t *session.Tree, _ store.Rev) {
		h := t.Header()
		about.ID, about.Cwd = h.ID, h.Cwd
	})
	return about
}

func known(s *store.Session, entry string) (err error) {
	s.Read(func(t *session.Tree, _ store.Rev) {
		if t.Find(entry) == session.NoPos {
			err = unknown(entry)
		}
	})
	return err
}

func unknown(entry string) error { return fmt.Errorf("entry %q: %w", entry, session.ErrNotFound) }
