// Package hook runs the user's programs: the hooks that are notified of changes, and the
// summarizer. A hook is an executable file with the name of its event. It reads the event
// as JSON from stdin and may print a JSON response. No shell is involved.
package hook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"sessiontree/internal/session"
)

// Errors of this package.
var (
	// ErrNoSummarizer is returned if a summary is requested and no summarizer is set.
	ErrNoSummarizer = errors.New("no summarizer is set: name a program that writes summaries with --summarizer")
	// ErrCancelled is returned if a hook cancels a change. Nothing was changed.
	ErrCancelled = errors.New("cancelled")
	// ErrFailed is returned if a program cannot be run, fails, or prints an invalid
	// response.
	ErrFailed = errors.New("program failed")
)

// The events.
const (
	eventBeforeTree   = "session_before_tree"
	eventTree         = "session_tree"
	eventBeforeBranch = "session_before_branch"
	eventBranch       = "session_branch"
	eventLabel        = "session_label"
)

// Default timeouts.
const (
	defaultLimit        = time.Minute
	defaultSummaryLimit = 5 * time.Minute
)

// Runner runs the hooks and the summarizer. The zero Runner runs none. It is safe for
// concurrent use.
type Runner struct {
	Dir            string        // contains one program per event, "" for no hooks
	Summarizer     []string      // the command that writes summaries, empty for none
	Timeout        time.Duration // of a hook, 0 for a minute
	SummaryTimeout time.Duration // of a program that may write a summary, 0 for 5 minutes
}

// Subject is the session of an event.
type Subject struct {
	File string `json:"file"`
	ID   string `json:"id"`
	Cwd  string `json:"cwd"`
}

// Preparation describes a move of the leaf before it is made. A nil id is the place
// before the first entry.
type Preparation struct {
	TargetID            *string `json:"targetId"`
	OldLeafID           *string `json:"oldLeafId"`
	CommonAncestorID    *string `json:"commonAncestorId"`
	UserWantsSummary    bool    `json:"userWantsSummary"` // whether a program should write one
	CustomInstructions  string  `json:"customInstructions,omitempty"`
	ReplaceInstructions bool    `json:"replaceInstructions,omitempty"`
	Label               string  `json:"label,omitempty"`
	// Entries calls add with the recorded lines of the abandoned branch, oldest first.
	Entries func(add func(line []byte) error) error `json:"-"`
	// Conversation writes the abandoned branch as text. It is nil if the branch has no
	// messages.
	Conversation func(w io.Writer) error `json:"-"`
}

// Outcome is the result of BeforeTree.
type Outcome struct {
	Summary   *session.Summary // nil for none
	Generated bool             // whether the summarizer wrote it, not a hook
	Label     string           // the requested label, or its replacement by a hook
}

// Move describes a completed move of the leaf.
type Move struct {
	NewLeafID     *string   `json:"newLeafId"`
	OldLeafID     *string   `json:"oldLeafId"`
	SummaryEntry  entryLine `json:"summaryEntry,omitempty"`
	FromExtension bool      `json:"fromExtension"` // whether a hook wrote the summary
}

// SessionForked describes a new session file that was made from a path.
type SessionForked struct {
	EntryID string `json:"entryId"`
	File    string `json:"newSessionFile"`
	ID      string `json:"newSessionId"`
}

// LabelChange describes a label that was set, or cleared if Label is empty.
type LabelChange struct {
	TargetID string `json:"targetId"`
	Label    string `json:"label"`
	Previous string `json:"previousLabel"`
}

// CanSummarize returns ErrNoSummarizer if there is no summarizer.
func (r *Runner) CanSummarize() error {
	if len(r.Summarizer) == 0 {
		return ErrNoSummarizer
	}
	return nil
}

// BeforeTree runs the hook before a move of the leaf. The hook may cancel it
// (ErrCancelled), replace the instructions or the label, and return a summary. If a
// summary is wanted and the hook returns none, BeforeTree runs the summarizer. progress
// may be nil; it is not called concurrently.
func (r *Runner) BeforeTree(ctx context.Context, s Subject, p Preparation, progress func(string)) (Outcome, error) {
	if p.UserWantsSummary {
		if err := r.CanSummarize(); err != nil {
			return Outcome{}, err
		}
	}
	limit := r.hookTimeout()
	if p.UserWantsSummary {
		limit = r.summaryTimeout()
	}
	response, err := r.runHook(ctx, eventBeforeTree, limit, p.newTreeEventWriter(s), progress)
	if err != nil {
		return Outcome{}, err
	}
	response.applyTo(&p)
	out := Outcome{Label: p.Label}
	switch {
	case !p.UserWantsSummary:
	case response.Summary != nil:
		out.Summary = response.Summary.toSummary()
	case p.Conversation != nil:
		out.Summary, err = r.runSummarizer(ctx, p, progress)
		out.Generated = true
	}
	return out, err
}

// AfterTree notifies the hook that the leaf has moved.
func (r *Runner) AfterTree(ctx context.Context, s Subject, m Move) error {
	return r.notifyHook(ctx, eventTree, s, m)
}

// BeforeBranch runs the hook before a new session is made from the path to an entry.
func (r *Runner) BeforeBranch(ctx context.Context, s Subject, entry string) error {
	input := newEventWriter(eventBeforeBranch, s, struct {
		EntryID string `json:"entryId"`
	}{entry})
	response, err := r.runHook(ctx, eventBeforeBranch, r.hookTimeout(), input, nil)
	if err == nil && (response.Summary != nil || response.Label != nil || response.CustomInstructions != nil || response.ReplaceInstructions != nil) {
		err = fmt.Errorf("%w: %s: this event accepts only \"cancel\"", ErrFailed, eventBeforeBranch)
	}
	return err
}

// AfterBranch notifies the hook that a new session was made.
func (r *Runner) AfterBranch(ctx context.Context, s Subject, b SessionForked) error {
	return r.notifyHook(ctx, eventBranch, s, b)
}

// AfterLabel notifies the hook that a label was set or cleared.
func (r *Runner) AfterLabel(ctx context.Context, s Subject, l LabelChange) error {
	return r.notifyHook(ctx, eventLabel, s, l)
}

// runHook runs the hook of an event and parses its response, which is empty if there is
// no hook.
func (r *Runner) runHook(ctx context.Context, event string, limit time.Duration, input func(io.Writer) error, progress func(string)) (hookResponse, error) {
	path, err := r.findHook(event)
	if path == "" || err != nil {
		return hookResponse{}, err
	}
	j := programRun{name: event, argv: []string{path}, timeout: limit, input: input, progress: progress}
	out, err := j.runProgram(ctx)
	if err != nil {
		return hookResponse{}, err
	}
	return parseResponse(event, out)
}

// notifyHook runs the hook of a completed change and ignores its output.
func (r *Runner) notifyHook(ctx context.Context, name string, s Subject, about any) error {
	path, err := r.findHook(name)
	if path == "" || err != nil {
		return err
	}
	j := programRun{name: name, argv: []string{path}, timeout: r.hookTimeout(), input: newEventWriter(name, s, about)}
	_, err = j.runProgram(ctx)
	return err
}

// findHook returns the path of an event's hook, "" if there is none. A file of that name
// that is not executable is an error.
func (r *Runner) findHook(event string) (string, error) {
	if r.Dir == "" {
		return "", nil
	}
	path := filepath.Join(r.Dir, event)
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", fmt.Errorf("%w: %w", ErrFailed, err)
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%w: %s is not a program", ErrFailed, path)
	case !isExecutable(info):
		return "", fmt.Errorf("%w: %s cannot be run: it is not executable", ErrFailed, path)
	}
	return path, nil
}

func (r *Runner) hookTimeout() time.Duration { return positiveOr(r.Timeout, defaultLimit) }
func (r *Runner) summaryTimeout() time.Duration {
	return positiveOr(r.SummaryTimeout, defaultSummaryLimit)
}

func positiveOr(d, usual time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return usual
}
