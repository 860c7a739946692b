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
	// RedactText takes a text.
	RedactText(text string, which map[string]bool) (out string, counts map[string]int)
	// RedactJSON takes the strings of a RedactJSON object, decoded; other bytes stay when
	// nothing is found.
	RedactJSON(line []byte, which map[string]bool) (out []byte, changed bool, counts map[string]int, err error)
	// FindValues lists what of a JSON object would be replaced.
	FindValues(line []byte) ([]redact.Value, error)
}

// Classes lists the classes of findings.
func Classes() []string { return []string{redact.ClassKeys, redact.ClassPersonal} }

// Omissions is what is left out of what is exported.
type Omissions = session.Omissions

// Options say what is exported.
type Options struct {
	Part     Part
	Kind     Kind
	Omit     Omissions
	Redactor Redactor        // nil replaces nothing
	Classes  map[string]bool // what it replaces, and the marks of values that stay
	// SidecarAnnotations: whoever asks keeps what the file cannot hold, Job.Aside, beside it.
	SidecarAnnotations bool
	// Origin is what a session file tells of its making.
	Origin store.Origin
	// Progress is called now and then with how many of all lines or entries are
	// written; nil is not.
	Progress   func(done, total int)
	RenderHTML HTMLRenderer // of HTML; nil makes none
}

// Result is what was written.
type Result struct {
	Entries         int // that it holds
	Bytes           int64
	Redacted        []Count
	SidecarRedacted []Count  // values that were replaced in what is kept beside the file
	Omitted         string   // for people: what the part has that the file does not, "" nothing
	Blobs           []string // that a session file needs beside it, by name
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
	order []markdownStep // Markdown
	epoch uint64         // of the positions in order
	total int
}

// Prepare finds out what would be exported, and why it cannot be.
func Prepare(ctx context.Context, s *store.Session, o Options) (*Job, error) {
	j := &Job{s: s, o: o}
	err := o.checkOptions(s)
	if err != nil {
		return nil, err
	}
	switch o.Kind {
	case JSONL, HTML:
		j.file, err = s.Extract(ctx, j.fileOrigin(), func(t *session.Tree) (part session.Selection, err error) {
			part.Keep, err = o.Part.selectPositions(t)
			part.Top, part.Leaf, j.total = o.Part.topPosition(t), o.Part.endPosition(t), len(part.Keep)
			return part, err
		})
	case Markdown:
		if _, err = s.Refresh(ctx); err == nil {
			err = j.outlineMarkdown()
		}
	default:
		err = fmt.Errorf("%w: unknown export format %q; use jsonl, md or html", session.ErrInvalid, o.Kind)
	}
	if err != nil {
		return nil, err
	}
	s.ReadTree(func(t *session.Tree, _ store.Revision) { j.name = exportFileName(t, o, j.newCountingRedactor()) })
	return j, nil
}

// fileOrigin is what a session file tells of its making: the directories of its source
// name a user and a project, which is personal.
func (j *Job) fileOrigin() store.Origin {
	o := j.o.Origin
	o.SidecarAnnotations = j.o.SidecarAnnotations
	o.SourceNameOnly = o.SourceNameOnly || j.newCountingRedactor().redactor != nil && j.o.Classes["personal"]
	return o
}

// checkOptions is why nothing is exported with these options, nil when something may be.
func (o Options) checkOptions(s *store.Session) error {
	if o.Kind == HTML && o.RenderHTML == nil {
		return fmt.Errorf("%w: no pages are made here", session.ErrInvalid)
	}
	if o.Omit.OmitsAny() && s.Format().Strip == nil {
		return fmt.Errorf("%w: nothing can be left out of %s sessions", session.ErrInvalid, s.Format().Title)
	}
	return nil
}

// DownloadName is a base name for the file: of the session, the entry and its label.
func (j *Job) DownloadName() string { return j.name }

// AgentFileName is a base name for a session file, as the agent names its own: it tells
// nothing of what is in it, and is that of a session whatever the session is called.
// Markdown has none.
func (j *Job) AgentFileName() string {
	if j.file == nil {
		return ""
	}
	return j.file.NewFile.Name
}

// SessionID is that of the session that the file holds, "" of Markdown.
func (j *Job) SessionID() string {
	if j.file == nil {
		return ""
	}
	return j.file.NewFile.ID
}

// EntryCount counts the entries of the part that is exported.
func (j *Job) EntryCount() int { return j.total }

// Write writes the export. It ends with ctx.
func (j *Job) Write(ctx context.Context, w io.Writer) (Result, error) {
	out := &countingWriter{w: w}
	c := j.newCountingRedactor()
	r := Result{Entries: j.WrittenEntries(), Omitted: j.Omitted()}
	var err error
	switch j.o.Kind {
	case Markdown:
		err = j.writeMarkdown(ctx, out, c)
	case HTML:
		err = j.writeHTML(ctx, out, c)
	default:
		r.Blobs, err = j.writeSessionLines(ctx, out, c)
	}
	r.Bytes, r.Redacted = out.n, c.sortedCounts()
	if j.o.SidecarAnnotations {
		_, r.SidecarRedacted = j.redactAnnotations()
	}
	return r, err
}

// progressInterval is after how many entries progress is told.
const progressInterval = 500

func (j *Job) reportProgress(done int) {
	if j.o.Progress != nil {
		j.o.Progress(min(done, j.total), j.total)
	}
}
