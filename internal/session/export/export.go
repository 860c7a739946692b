// Package export writes a session or a part of it for other people. The result is a
// session file that the same agent opens, Markdown, or an HTML page that needs no server.
// Sensitive values are replaced. While it writes an HTML page it keeps the session file in
// a temporary directory.
package export

import (
	"context"
	"fmt"
	"io"

	"sessiontree/internal/session"
	"sessiontree/internal/session/redact"
	"sessiontree/internal/session/store"
)

// Kind is the file type of an export.
type Kind string

// The kinds, which are also the file name extensions.
const (
	JSONL    Kind = "jsonl"
	Markdown Kind = "md"
)

// Redactor finds and replaces sensitive values, as redact.Rules does. which maps the
// classes to replace to true, and the ids of values to keep to false. counts are by
// kind.
type Redactor interface {
	// RedactText redacts a text.
	RedactText(text string, which map[string]bool) (out string, counts map[string]int)
	// RedactJSON redacts the decoded strings of a JSON object. It keeps other bytes unchanged.
	RedactJSON(line []byte, which map[string]bool) (out []byte, changed bool, counts map[string]int, err error)
	// FindValues lists the values in a JSON object that could be replaced.
	FindValues(line []byte) ([]redact.Value, error)
}

// Classes lists the classes of findings.
func Classes() []string { return []string{redact.ClassKeys, redact.ClassPersonal} }

// Omissions selects the content that is omitted from an export.
type Omissions = session.Omissions

// Options select what is exported and how.
type Options struct {
	Part     Part
	Kind     Kind
	Omit     Omissions
	Redactor Redactor        // nil replaces nothing
	Classes  map[string]bool // classes to replace, and with false the ids of values to keep
	// SidecarAnnotations reports that the caller stores Job.Annotations, which the file
	// cannot hold, in a sidecar.
	SidecarAnnotations bool
	// Origin is recorded in session files as their source.
	Origin Origin
	// Progress, if not nil, is called now and then with the number of lines or entries
	// that are written.
	Progress   func(done, total int)
	RenderHTML HTMLRenderer // required for the kind HTML
}

// Result describes a written export.
type Result struct {
	Entries         int // entries in the export
	Bytes           int64
	Redacted        []Count
	SidecarRedacted []Count  // values replaced in the sidecar
	Omitted         string   // describes for people what the export does not contain, "" if nothing
	Blobs           []string // names of the blobs that a session file refers to
}

// Count is the number of replaced values of a kind.
type Count struct {
	Kind  string `json:"kind"`
	Count int    `json:"count"`
}

// Job is a prepared export. Its part is resolved, and nothing is written yet.
type Job struct {
	s     *store.Session
	o     Options
	name  string
	file  *extract       // for JSONL and HTML
	order []markdownStep // for Markdown
	epoch uint64         // the tree's epoch, for which order is valid
	total int
}

// Prepare resolves what is exported. It returns an error if that is impossible.
func Prepare(ctx context.Context, s *store.Session, o Options) (*Job, error) {
	j := &Job{s: s, o: o}
	err := o.checkOptions(s)
	if err != nil {
		return nil, err
	}
	switch o.Kind {
	case JSONL, HTML:
		j.file, err = extractFile(ctx, s, j.fileOrigin(), o.SidecarAnnotations, func(t *session.Tree) (part session.Selection, err error) {
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

// fileOrigin returns the origin that a session file records. It omits the source's
// directories when personal data is redacted, because they name a user and a project.
func (j *Job) fileOrigin() Origin {
	o := j.o.Origin
	o.SourceNameOnly = o.SourceNameOnly || j.newCountingRedactor().redactor != nil && j.o.Classes["personal"]
	return o
}

// checkOptions returns an error if these options cannot be used for the session.
func (o Options) checkOptions(s *store.Session) error {
	if o.Kind == HTML && o.RenderHTML == nil {
		return fmt.Errorf("%w: no pages are made here", session.ErrInvalid)
	}
	if o.Omit.OmitsAny() && s.Format().Export == nil {
		return fmt.Errorf("%w: nothing can be left out of %s sessions", session.ErrInvalid, s.Format().Title)
	}
	return nil
}

// DownloadName returns a file name made of the names of the session, the entry and its
// label.
func (j *Job) DownloadName() string { return j.name }

// AgentFileName returns a file name for a session file in the agent's own style. It
// contains nothing of the content. It is empty for Markdown.
func (j *Job) AgentFileName() string {
	if j.file == nil {
		return ""
	}
	return j.file.NewFile.Name
}

// SessionID returns the id of the session in the file, "" for Markdown.
func (j *Job) SessionID() string {
	if j.file == nil {
		return ""
	}
	return j.file.NewFile.ID
}

// EntryCount returns the number of entries of the part.
func (j *Job) EntryCount() int { return j.total }

// Write writes the export. It stops when ctx ends.
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

// progressInterval is the number of entries between two calls of Progress.
const progressInterval = 500

func (j *Job) reportProgress(done int) {
	if j.o.Progress != nil {
		j.o.Progress(min(done, j.total), j.total)
	}
}
