// Package export makes files for others of a session or a part of it: a session
// file that the same agent opens, Markdown to paste, or a page that needs no server. What should not be told is
// replaced on the way. It writes to what it is given; while it makes a page it keeps the session file
// in a temporary directory.
package export

import (
	"context"
	"fmt"
	"io"

	"sessiontree/internal/session"
	"sessiontree/internal/session/redact"
	"sessiontree/internal/session/store"
)

// Kind is what an export is made as.
type Kind string

// The kinds, by the ends of their file names.
const (
	JSONL    Kind = "jsonl"
	Markdown Kind = "md"
)

// Redactor finds what should not be told and replaces it, as redact.Rules does. which
// says what it replaces: classes of findings and, with false, the marks of values that
// stay; counts are by kind.
type Redactor interface {
	// Replace takes a text.
	Replace(text string, which map[string]bool) (out string, counts map[string]int)
	// JSON takes the strings of a JSON object, decoded; other bytes stay when
	// nothing is found.
	JSON(line []byte, which map[string]bool) (out []byte, changed bool, counts map[string]int, err error)
	// Values lists what of a JSON object would be replaced.
	Values(line []byte) ([]redact.Value, error)
}

// Classes lists the classes of findings.
func Classes() []string { return []string{redact.Keys, redact.Personal} }

// Without is what is left out of what is exported.
type Without = session.Without

// Options say what is exported.
type Options struct {
	Part     Part
	As       Kind
	Without  Without
	Redactor Redactor        // nil replaces nothing
	Classes  map[string]bool // what it replaces, and the marks of values that stay
	// Beside: whoever asks keeps what the file cannot hold, Job.Aside, beside it.
	Beside bool
	// Origin is what a session file tells of its making.
	Origin store.Origin
	// Progress is called now and then with how many of all lines or entries are
	// written; nil is not.
	Progress func(done, total int)
	Page     Painter // of HTML; nil makes none
}

// Result is what was written.
type Result struct {
	Entries  int // that it holds
	Bytes    int64
	Redacted []Count
	Beside   []Count  // values that were replaced in what is kept beside the file
	Left     string   // for people: what the part has that the file does not, "" nothing
	Blobs    []string // that a session file needs beside it, by name
}

// Count is how many values of a kind were replaced.
type Count struct {
	Kind  string `json:"kind"`
	Count int    `json:"count"`
}

// Job is an export that can be made: its part is known, and nothing is written yet.
type Job struct {
	s     *store.Session
	o     Options
	name  string
	file  *store.Extract // JSONL
	order []step         // Markdown
	epoch uint64         // of the positions in order
	total int
}

// Prepare finds out what would be exported, and why it cannot be.
func Prepare(ctx context.Context, s *store.Session, o Options) (*Job, error) {
	j := &Job{s: s, o: o}
	err := o.refused(s)
	if err != nil {
		return nil, err
	}
	switch o.As {
	case JSONL, HTML:
		j.file, err = s.Extract(ctx, j.origin(), func(t *session.Tree) (part session.Part, err error) {
			part.Keep, err = o.Part.positions(t)
			part.Top, part.Leaf, j.total = o.Part.top(t), o.Part.end(t), len(part.Keep)
			return part, err
		})
	case Markdown:
		if _, err = s.Refresh(ctx); err == nil {
			err = j.outline()
		}
	default:
		err = fmt.Errorf("%w: nothing is exported as %q; there are jsonl, md and html", session.ErrInvalid, o.As)
	}
	if err != nil {
		return nil, err
	}
	s.Read(func(t *session.Tree, _ store.Rev) { j.name = fileName(t, o, j.clean()) })
	return j, nil
}

// origin is what a session file tells of its making: the directories of its source
// name a user and a project, which is personal.
func (j *Job) origin() store.Origin {
	o := j.o.Origin
	o.Beside = j.o.Beside
	o.Bare = o.Bare || j.clean().redactor != nil && j.o.Classes["personal"]
	return o
}

// refused is why nothing is exported with these options, nil when something may be.
func (o Options) refused(s *store.Session) error {
	if o.As == HTML && o.Page == nil {
		return fmt.Errorf("%w: no pages are made here", session.ErrInvalid)
	}
	if o.Without.Any() && s.Format().Strip == nil {
		return fmt.Errorf("%w: nothing can be left out of sessions of %s", session.ErrInvalid, s.Format().Title)
	}
	return nil
}

// Name is a base name for the file: of the session, the entry and its label.
func (j *Job) Name() string { return j.name }

// FileName is a base name for a session file, as the agent names its own: it tells
// nothing of what is in it, and is that of a session whatever the session is called.
// Markdown has none.
func (j *Job) FileName() string {
	if j.file == nil {
		return ""
	}
	return j.file.NewFile.Name
}

// ID is that of the session that the file holds, "" of Markdown.
func (j *Job) ID() string {
	if j.file == nil {
		return ""
	}
	return j.file.NewFile.ID
}

// Entries counts the entries of the part that is exported.
func (j *Job) Entries() int { return j.total }

// Write writes the export. It ends with ctx.
func (j *Job) Write(ctx context.Context, w io.Writer) (Result, error) {
	out := &counted{w: w}
	c := j.clean()
	r := Result{Entries: j.Held(), Left: j.Left()}
	var err error
	switch j.o.As {
	case Markdown:
		err = j.markdown(ctx, out, c)
	case HTML:
		err = j.webPage(ctx, out, c)
	default:
		r.Blobs, err = j.lines(ctx, out, c)
	}
	r.Bytes, r.Redacted = out.n, c.sum()
	if j.o.Beside {
		_, r.Beside = j.aside()
	}
	return r, err
}

// progressStep is after how many entries progress is told.
const progressStep = 500

func (j *Job) progress(done int) {
	if j.o.Progress != nil {
		j.o.Progress(min(done, j.total), j.total)
	}
}
