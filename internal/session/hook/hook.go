// Package hook runs the programs that listen to what happens to sessions, and
// the one that writes summaries. A program is an executable file that bears its
// event's name; it gets the event as JSON on stdin and may answer with JSON on
// stdout. No shell is ever in between.
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
	// ErrNoSummarizer: a summary was asked for, and no program is set to write it.
	ErrNoSummarizer = errors.New("no summarizer is set: name a program that writes summaries with --summarizer")
	// ErrCancelled: a program that listens does not want it. Nothing was changed.
	ErrCancelled = errors.New("cancelled")
	// ErrFailed: a program could not be run, failed, or answered what cannot be used.
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

// How long programs may take where Runner does not say.
const (
	defaultLimit        = time.Minute
	defaultSummaryLimit = 5 * time.Minute
)

// Runner knows the programs. The zero Runner knows none. It is safe for
// concurrent use.
type Runner struct {
	Dir            string        // holds a program per event, "" = nobody listens
	Summarizer     []string      // the program that writes summaries and its arguments; empty = none
	Timeout        time.Duration // for a program that listens, 0 = a minute
	SummaryTimeout time.Duration // for a program that may write a summary, 0 = 5 minutes
}

// Subject is the session that an event is about.
type Subject struct {
	File string `json:"file"`
	ID   string `json:"id"`
	Cwd  string `json:"cwd"`
}

// Preparation is what is known before the leaf moves. An absent id is the place
// before the first entry.
type Preparation struct {
	TargetID            *string `json:"targetId"`
	OldLeafID           *string `json:"oldLeafId"`
	CommonAncestorID    *string `json:"commonAncestorId"`
	UserWantsSummary    bool    `json:"userWantsSummary"` // one that a program is to write
	CustomInstructions  string  `json:"customInstructions,omitempty"`
	ReplaceInstructions bool    `json:"replaceInstructions,omitempty"`
	Label               string  `json:"label,omitempty"`
	// Entries hands over the recorded lines of what is left behind, oldest first.
	Entries func(add func(line []byte) error) error `json:"-"`
	// Conversation writes what is left behind as text; nil when that says nothing.
	Conversation func(w io.Writer) error `json:"-"`
}

// Outcome is what came of asking before a move.
type Outcome struct {
	Summary   *session.Summary // nil = none
	Generated bool             // the summarizer wrote it, not a program that listens
	Label     string           // the one asked for, or what a program has put in its place
}

// Move is a move of the leaf that was made.
type Move struct {
	NewLeafID     *string   `json:"newLeafId"`
	OldLeafID     *string   `json:"oldLeafId"`
	SummaryEntry  entryLine `json:"summaryEntry,omitempty"`
	FromExtension bool      `json:"fromExtension"` // a program that listens wrote the summary
}

// SessionForked is a new session file that was made of a path.
type SessionForked struct {
	EntryID string `json:"entryId"`
	File    string `json:"newSessionFile"`
	ID      string `json:"newSessionId"`
}

// LabelChange is a label that was set, or cleared when Label is empty.
type LabelChange struct {
	TargetID string `json:"targetId"`
	Label    string `json:"label"`
	Previous string `json:"previousLabel"`
}

// CanSummarize answers ErrNoSummarizer when nobody can write a summary.
func (r *Runner) CanSummarize() error {
	if len(r.Summarizer) == 0 {
		return ErrNoSummarizer
	}
	return nil
}

// BeforeTree asks whether the leaf may move. A program that listens may say no
// (ErrCancelled), put other instructions or another label in place, and give the
// summary; when one is wanted and none was given, the summarizer writes it.
// progress, which may be nil, is told how that goes, from one goroutine at a
// time.
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
	said, err := r.runHook(ctx, eventBeforeTree, limit, p.newTreeEventWriter(s), progress)
	if err != nil {
		return Outcome{}, err
	}
	said.applyTo(&p)
	out := Outcome{Label: p.Label}
	switch {
	case !p.UserWantsSummary:
	case said.Summary != nil:
		out.Summary = said.Summary.toSummary()
	case p.Conversation != nil:
		out.Summary, err = r.runSummarizer(ctx, p, progress)
		out.Generated = true
	}
	return out, err
}

// AfterTree tells that the leaf has moved.
func (r *Runner) AfterTree(ctx context.Context, s Subject, m Move) error {
	return r.notifyHook(ctx, eventTree, s, m)
}

// BeforeBranch asks whether a new session may be made of the path to an entry.
func (r *Runner) BeforeBranch(ctx context.Context, s Subject, entry string) error {
	input := newEventWriter(eventBeforeBranch, s, struct {
		EntryID string `json:"entryId"`
	}{entry})
	said, err := r.runHook(ctx, eventBeforeBranch, r.hookTimeout(), input, nil)
	if err == nil && (said.Summary != nil || said.Label != nil || said.CustomInstructions != nil || said.ReplaceInstructions != nil) {
		err = fmt.Errorf("%w: %s: this event accepts only \"cancel\"", ErrFailed, eventBeforeBranch)
	}
	return err
}

// AfterBranch tells that a new session was made.
func (r *Runner) AfterBranch(ctx context.Context, s Subject, b SessionForked) error {
	return r.notifyHook(ctx, eventBranch, s, b)
}

// AfterLabel tells that a label was set or cleared.
func (r *Runner) AfterLabel(ctx context.Context, s Subject, l LabelChange) error {
	return r.notifyHook(ctx, eventLabel, s, l)
}

// runHook runs the program that listens to an event and reads its answer. Without
// one, nothing is answered.
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

// notifyHook runs the program that listens to something that has happened. What it
// prints counts for nothing.
func (r *Runner) notifyHook(ctx context.Context, name string, s Subject, about any) error {
	path, err := r.findHook(name)
	if path == "" || err != nil {
		return err
	}
	j := programRun{name: name, argv: []string{path}, timeout: r.hookTimeout(), input: newEventWriter(name, s, about)}
	_, err = j.runProgram(ctx)
	return err
}

// findHook is the program of an event, "" when there is none. A file of that
// name that cannot be run is an error: it was put there to be asked.
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
