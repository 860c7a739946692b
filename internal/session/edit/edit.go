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

// addWarning keeps the error of a program that was told.
func (r *Result) addWarning(err error) {
	if err != nil {
		r.Warnings = append(r.Warnings, err.Error())
	}
}

// Label sets the label of an entry, or clears it with "".
func Label(ctx context.Context, s *store.Session, hooks *hook.Runner, entry, text string, seen store.Precondition) (Result, error) {
	var before session.LabelInfo
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		if p := t.FindID(entry); p != session.NoPos {
			before, _ = t.Label(p)
		}
	})
	w, err := s.ApplyChange(ctx, session.Change{Op: session.OpLabel, Entry: entry, Text: text}, seen)
	r := Result{Written: w}
	if wasWritten(err) {
		r.addWarning(hooks.AfterLabel(context.WithoutCancel(ctx), hookSubject(s), hook.LabelChange{TargetID: entry, Label: text, Previous: before.Text}))
	}
	return r, err
}

// Rename names the session, or takes its name away with "".
func Rename(ctx context.Context, s *store.Session, name string) (Result, error) {
	return applyPlainChange(ctx, s, session.Change{Op: session.OpName, Text: name}, store.Precondition{})
}

// CherryPick copies an entry onto the leaf.
func CherryPick(ctx context.Context, s *store.Session, entry string, seen store.Precondition) (Result, error) {
	return applyPlainChange(ctx, s, NewCherryPickChange(entry), seen)
}

// Merge copies onto the leaf what was said on the way to an entry since its path
// left that of the leaf.
func Merge(ctx context.Context, s *store.Session, entry string, seen store.Precondition) (Result, error) {
	c, err := NewMergeChange(s, entry)
	if err != nil {
		return Result{}, err
	}
	return applyPlainChange(ctx, s, c, seen)
}

// RepairLeaf gives the leaf back to the newest activity when the file ends on a
// branch that was left.
func RepairLeaf(ctx context.Context, s *store.Session, seen store.Precondition) (Result, error) {
	c, err := NewRepairChange(s)
	if err != nil {
		return Result{}, err
	}
	return applyPlainChange(ctx, s, c, seen)
}

func applyPlainChange(ctx context.Context, s *store.Session, c session.Change, seen store.Precondition) (Result, error) {
	w, err := s.ApplyChange(ctx, c, seen)
	return Result{Written: w}, err
}

// NewCherryPickChange is the change that Pick makes.
func NewCherryPickChange(entry string) session.Change {
	return session.Change{Op: session.OpCopy, CopyIDs: []string{entry}}
}

// NewMergeChange is the change that Merge makes.
func NewMergeChange(s *store.Session, entry string) (c session.Change, err error) {
	c.Op = session.OpCopy
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		p := t.FindID(entry)
		if p == session.NoPos {
			err = unknownEntryError(entry)
			return
		}
		for _, at := range t.PlanBranch(t.Leaf(), p).Abandoned { // what would be left on going from there to the leaf
			if e := t.At(at); e.Kind.IsCopyable() {
				c.CopyIDs = append(c.CopyIDs, e.ID)
			}
		}
		if len(c.CopyIDs) == 0 {
			err = fmt.Errorf("%w: nothing was said on the way there that is not on the path to the leaf already", session.ErrInvalid)
		}
	})
	return c, err
}

// NewRepairChange is the change that Repair makes.
func NewRepairChange(s *store.Session) (c session.Change, err error) {
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		p := t.NewerActivity()
		if p == session.NoPos {
			err = fmt.Errorf("%w: the file ends where its newest activity is: there is nothing to repair", session.ErrInvalid)
			return
		}
		c = session.Change{Op: session.OpRepair, Entry: t.At(p).ID}
	})
	return c, err
}

// ForkResult is a new session that was made of a path.
type ForkResult struct {
	store.ForkedFile
	Warnings []string
}

// Fork makes a new session file of the path to an entry. out is its path, "" puts
// it beside the source under the name that the agent would give it.
func Fork(ctx context.Context, s *store.Session, hooks *hook.Runner, entry, out string) (ForkResult, error) {
	if err := checkEntryExists(s, entry); err != nil {
		return ForkResult{}, err
	}
	about := hookSubject(s)
	if s.Capabilities().Fork.IsPossible() { // else store says why not, and nobody is asked
		if err := hooks.BeforeBranch(ctx, about, entry); err != nil {
			return ForkResult{}, err
		}
	}
	file, err := s.Fork(ctx, entry, out)
	if !wasWritten(err) {
		return ForkResult{}, err
	}
	f := ForkResult{ForkedFile: file}
	if file.LossWarning != "" {
		f.Warnings = append(f.Warnings, file.LossWarning)
	}
	if bad := hooks.AfterBranch(context.WithoutCancel(ctx), about, hook.SessionForked{EntryID: entry, File: file.Path, ID: file.ID}); bad != nil {
		f.Warnings = append(f.Warnings, bad.Error())
	}
	return f, err
}

// wasWritten reports whether something was written, so that what belongs to it is to be
// done too.
func wasWritten(err error) bool { return err == nil || errors.Is(err, store.ErrUnconfirmed) }

// LiveWarning is what to say of a session whose agent may be running, "" when its file
// has not grown of late.
func LiveWarning(s *store.Session) string {
	if !s.IsLive() {
		return ""
	}
	ago := max(0, time.Since(s.LastAgentWrite()).Round(time.Second))
	return fmt.Sprintf("The file grew %d s ago, so the agent may be running. It does not notice a change until it opens the session again, and what it writes next becomes a sibling of it.", int(ago.Seconds()))
}

// hookSubject is what programs are told of a session.
func hookSubject(s *store.Session) hook.Subject {
	about := hook.Subject{File: s.Path()}
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		h := t.Header()
		about.ID, about.Cwd = h.ID, h.Cwd
	})
	return about
}

func checkEntryExists(s *store.Session, entry string) (err error) {
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		if t.FindID(entry) == session.NoPos {
			err = unknownEntryError(entry)
		}
	})
	return err
}

func unknownEntryError(entry string) error {
	return fmt.Errorf("entry %q: %w", entry, session.ErrNotFound)
}
