package push

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/blobs"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/push/wire"
)

// Config configures a Pusher.
type Config struct {
	Account  Account
	Catalog  *catalog.Catalog // filled
	Formats  []*session.Format
	Projects []Project // nothing else is pushed
	Home     string    // is not part of paths on the hub
	StateDir string    // for what is known of pushed files; "" stores nothing
	// Redactor removes the classes of findings; nil removes nothing. Rules is the version of
	// its rules, "none" without it.
	Redactor Redactor
	Classes  map[string]bool
	Rules    string
	Log      *slog.Logger     // nil discards logs
	Clock    func() time.Time // nil = time.Now
}

// Pusher sends sessions to a hub. Its methods may be called by several goroutines.
type Pusher struct {
	client   *client
	catalog  *catalog.Catalog
	formats  []*session.Format
	projects []Project
	home     string
	redactor Redactor
	classes  map[string]bool
	rules    string
	log      *slog.Logger
	now      func() time.Time

	mu       sync.Mutex // held while something is pushed
	progress progressFile
	pushed   Report

	pendingMu sync.Mutex
	pending   map[string]bool // changed paths
	wake      chan struct{}   // holds a token while there are some
}

// Report counts what was pushed since the start.
type Report struct {
	Files    int   // that are on the hub in full
	Sent     int64 // bytes
	Findings map[string]int
	Refused  []Refusal
}

// Refusal is a file that the hub does not accept.
type Refusal struct{ Path, Reason string }

// Hidden returns how many secrets were removed.
func (r *Report) Hidden() (n int) {
	for _, count := range r.Findings {
		n += count
	}
	return n
}

// New returns a Pusher.
func New(c Config) (*Pusher, error) {
	p := &Pusher{
		client: newClient(c.Account), catalog: c.Catalog, formats: c.Formats, projects: c.Projects, home: c.Home,
		redactor: c.Redactor, classes: c.Classes, rules: c.Rules,
		log: cmp.Or(c.Log, slog.New(slog.DiscardHandler)), now: c.Clock,
		pushed: Report{Findings: map[string]int{}}, pending: map[string]bool{}, wake: make(chan struct{}, 1),
	}
	if p.now == nil {
		p.now = time.Now
	}
	return p, p.progress.open(c.StateDir, c.Account.Device+" "+c.Account.Hub+" "+c.Rules)
}

// PushAll sends what the hub lacks of all sessions of the projects. It returns the first error
// after which nothing else could be sent; of other files the Report has the reason.
func (p *Pusher) PushAll(ctx context.Context) (Report, error) {
	return p.pushSessions(ctx, p.catalog.Sessions())
}

// pushSessions sends what the hub lacks of sessions.
func (p *Pusher) pushSessions(ctx context.Context, sessions []catalog.Summary) (Report, error) {
	files, err := p.listFiles(ctx, sessions)
	if err != nil {
		return Report{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pushed.Files, p.pushed.Refused = 0, nil
	err = errors.Join(p.pushFiles(ctx, files), p.progress.save())
	return p.pushed, err
}

// pushFiles sends what the hub lacks of files. Those that another process changes or pushes at
// the same time do not prevent that the others are sent. The caller holds the lock.
func (p *Pusher) pushFiles(ctx context.Context, files []localFile) error {
	files = p.changedFiles(files)
	if len(files) == 0 {
		return nil
	}
	described := make([]wire.File, len(files))
	for i := range files {
		described[i] = p.describe(&files[i])
	}
	heads, err := p.client.listHeads(ctx, p.pushed.Hidden(), described)
	if err != nil {
		return err
	}
	var failed error
	for i := range files {
		if heads[i].Refused != "" {
			p.refuse(files[i].path, heads[i].Refused)
			continue
		}
		err := p.pushFile(ctx, &files[i], heads[i])
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", files[i].path, err))
		}
		var conflict *conflictError
		if err != nil && !errors.As(err, &conflict) {
			break
		}
	}
	return failed
}

// changedFiles returns the files that are not known to be on the hub as they are.
func (p *Pusher) changedFiles(files []localFile) (changed []localFile) {
	for _, f := range files {
		switch complete, err := p.progress.isComplete(f.path); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			p.refuse(f.path, err.Error())
		case complete:
			p.pushed.Files++
		default:
			f.format = p.sniff(f.path)
			changed = append(changed, f)
		}
	}
	return changed
}

func (p *Pusher) refuse(path, reason string) {
	p.pushed.Refused = append(p.pushed.Refused, Refusal{path, reason})
}

// maxTries limits how often a file is tried that changes while it is pushed, or that another
// process pushes.
const maxTries = 4

// pushFile sends what the hub lacks of a file, and the blobs that new lines refer to.
func (p *Pusher) pushFile(ctx context.Context, f *localFile, head wire.FileHead) error {
	var conflict *conflictError
	for try := 0; ; try++ {
		t := &transfer{pusher: p, file: f, head: head}
		err := t.run(ctx)
		var refused *hubError
		switch {
		case err == nil:
			p.pushed.Files++
			return p.pushBlobs(ctx, f, t.blobs)
		case errors.As(err, &conflict) && try < maxTries:
			head = conflict.head
		case errors.Is(err, fs.ErrNotExist):
			return nil // it was deleted meanwhile
		case errors.Is(err, fs.ErrPermission):
			p.refuse(f.path, err.Error())
			return nil
		case errors.As(err, &refused) && isAboutFile(refused.status):
			p.refuse(f.path, refused.text)
			return nil
		default:
			return err
		}
	}
}

// isAboutFile reports whether a status of a response says that the hub does not want the file,
// so that others can be pushed.
func isAboutFile(status int) bool {
	return status == http.StatusGone || status == http.StatusForbidden || status == http.StatusNotFound || status == http.StatusRequestEntityTooLarge
}

// pushBlobs sends the blobs that the lines of a session refer to.
func (p *Pusher) pushBlobs(ctx context.Context, f *localFile, names map[string]bool) error {
	var files []localFile
	for name := range names {
		dirs := blobs.Dirs{Session: f.path, Name: f.format.Blobs.Dir}
		if path, ok := dirs.FindFile(name); ok {
			files = append(files, localFile{path: path, project: f.project, session: f.session})
		}
	}
	return p.pushFiles(ctx, files)
}
