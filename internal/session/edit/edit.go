// Package edit makes the changes that people request, in the browser and on the command
// line. Each function runs the hooks, has package store write, and returns what happened.
package edit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/hook"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/store"
)

// Result is the result of a change.
type Result struct {
	store.Written
	// Warnings are errors of hooks that were notified after the change was made.
	Warnings []string
}

// addWarning adds the error of a hook.
func (r *Result) addWarning(err error) {
	if err != nil {
		r.Warnings = append(r.Warnings, err.Error())
	}
}

// Label sets the label of an entry; "" clears it.
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

// Rename sets the name of the session; "" clears it.
func Rename(ctx context.Context, s *store.Session, name string) (Result, error) {
	return applyPlainChange(ctx, s, session.Change{Op: session.OpName, Text: name}, store.Precondition{})
}

// CherryPick copies an entry to the leaf.
func CherryPick(ctx context.Context, s *store.Session, entry string, seen store.Precondition) (Result, error) {
	return applyPlainChange(ctx, s, NewCherryPickChange(entry), seen)
}

// Merge copies the messages on the path to an entry to the leaf, except those that are
// on the leaf's path too.
func Merge(ctx context.Context, s *store.Session, entry string, seen store.Precondition) (Result, error) {
	c, err := NewMergeChange(s, entry)
	if err != nil {
		return Result{}, err
	}
	return applyPlainChange(ctx, s, c, seen)
}

// RepairLeaf makes the newest activity the leaf if the file ends on an abandoned
// branch.
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

// NewCherryPickChange returns the change that CherryPick makes.
func NewCherryPickChange(entry string) session.Change {
	return session.Change{Op: session.OpCopy, CopyIDs: []string{entry}}
}

// NewMergeChange returns the change that Merge makes.
func NewMergeChange(s *store.Session, entry string) (c session.Change, err error) {
	c.Op = session.OpCopy
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		p := t.FindID(entry)
		if p == session.NoPos {
			err = unknownEntryError(entry)
			return
		}
		for _, at := range session.PlanBranch(t, t.Leaf(), p).Abandoned { // the entries that a branch from p to the leaf would abandon
			if e := t.At(at); e.Kind.IsCopyable() {
				c.CopyIDs = append(c.CopyIDs, e.ID)
			}
		}
		if len(c.CopyIDs) == 0 {
			err = fmt.Errorf("%w: nothing to merge: everything is already on the current path", session.ErrInvalid)
		}
	})
	return c, err
}

// NewRepairChange returns the change that RepairLeaf makes.
func NewRepairChange(s *store.Session) (c session.Change, err error) {
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		p := t.NewerActivity()
		if p == session.NoPos {
			err = fmt.Errorf("%w: nothing to repair: the file ends at its newest activity", session.ErrInvalid)
			return
		}
		c = session.Change{Op: session.OpRepair, Entry: t.At(p).ID}
	})
	return c, err
}

// ForkResult is a new session made of a path.
type ForkResult struct {
	store.ForkedFile
	Warnings []string
}

// Fork makes a new session file of the path to an entry. out is its path; "" creates it
// next to the source under a name of the agent's scheme.
func Fork(ctx context.Context, s *store.Session, hooks *hook.Runner, entry, out string) (ForkResult, error) {
	if err := checkEntryExists(s, entry); err != nil {
		return ForkResult{}, err
	}
	about := hookSubject(s)
	if s.Capabilities().Fork.IsPossible() { // otherwise store returns the reason, and no hook runs
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

// wasWritten reports whether something was written, so that the steps after a change
// follow.
func wasWritten(err error) bool { return err == nil || errors.Is(err, safefile.ErrUnconfirmed) }

// LiveWarning returns a warning if the agent of the session may be running, else "".
func LiveWarning(s *store.Session) string {
	if !s.IsLive() {
		return ""
	}
	ago := max(0, time.Since(s.LastAgentWrite()).Round(time.Second))
	return fmt.Sprintf("The file grew %d s ago, so the agent may be running. It won't see the change until it reopens the session; its next entry becomes a sibling of it.", int(ago.Seconds()))
}

// hookSubject returns the description of a session for hooks.
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
