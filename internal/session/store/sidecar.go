package store

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"sessiontree/internal/session"
)

// sidecars are the files, one for each session, of what the explorer keeps of
// sessions outside of their own files. They are only ever appended to.
type sidecars struct {
	dir string

	mu    sync.Mutex
	seen  time.Time // the directory's, when names was read
	names map[string]*sidecar
}

// sidecar is one such file as it was read last.
type sidecar struct {
	stamp stamp
	sum   session.Aside
}

// stamp tells whether a file changed.
type stamp struct {
	size  int64
	mtime time.Time
}

// asideRecord is one line of a sidecar: a label, a name, or that the labels before it
// went into the session's file.
type asideRecord struct {
	Format  string  `json:"format"`
	Session string  `json:"session"`
	Time    int64   `json:"time"`            // ms
	Entry   string  `json:"entry,omitempty"` // id
	Ordinal int     `json:"ordinal"`         // of the entry among all, from 0
	Print   string  `json:"print,omitempty"` // of its line without ids
	Label   *string `json:"label,omitempty"`
	Name    *string `json:"name,omitempty"`
	Over    string  `json:"over,omitempty"` // the file's name then
	Moved   bool    `json:"moved,omitempty"`
}

func newSidecars(state string) *sidecars {
	return &sidecars{dir: filepath.Join(state, "sidecar"), names: map[string]*sidecar{}}
}

// base names the sidecar of a session.
func (a *sidecars) base(format, id string) string {
	h := sha256.Sum256([]byte(format + "\x00" + id))
	return hex.EncodeToString(h[:16]) + ".jsonl"
}

func (a *sidecars) path(format, id string) string { return filepath.Join(a.dir, a.base(format, id)) }

// stampOf looks at a sidecar; the zero stamp when there is none.
func (a *sidecars) stampOf(path string) stamp {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{}
	}
	return stamp{info.Size(), info.ModTime()}
}

// read returns all records of a sidecar, and how many lines are none: one was cut off
// by a crash, or somebody else wrote them.
func (a *sidecars) read(path string) (all []asideRecord, bad int, err error) {
	f, _, err := OpenRegular(path)
	if err != nil {
		return nil, 0, ignore(err, fs.ErrNotExist)
	}
	defer f.Close()
	for r := bufio.NewReader(f); ; {
		line, err := r.ReadBytes('\n')
		var rec asideRecord
		if json.Unmarshal(line, &rec) == nil && rec.Session != "" {
			all = append(all, rec)
		} else if !blank(line) {
			bad++
		}
		if err == io.EOF {
			return all, bad, nil
		}
		if err != nil {
			return all, bad, err
		}
	}
}

// add appends records under the lock of the sidecar. The directory's time tells
// other processes that something in it changed.
func (a *sidecars) add(ctx context.Context, path string, records ...asideRecord) error {
	if err := os.MkdirAll(a.dir, 0o700); err != nil {
		return fmt.Errorf("state directory: %w", err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("state: %w", err)
	}
	defer f.Close()
	if err := flock(ctx, f); err != nil {
		return fmt.Errorf("state: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("state: %w", err)
	}
	text, err := recordLines(f, info.Size(), records)
	if err != nil {
		return fmt.Errorf("state: %w", err)
	}
	if _, err = appendOnce(f, text, info.Size()); err == nil {
		err = f.Sync()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	now := time.Now()
	return os.Chtimes(a.dir, now, now)
}

// recordLines writes records down, after ending a line that a crash left open.
func recordLines(f io.ReaderAt, size int64, records []asideRecord) ([]byte, error) {
	var text bytes.Buffer
	if size > 0 {
		whole, err := ended(f, size)
		if err != nil {
			return nil, err
		}
		if !whole {
			text.WriteByte('\n')
		}
	}
	for _, r := range records {
		line, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		text.Write(append(line, '\n'))
	}
	return text.Bytes(), nil
}

// inForce answers the last label record of each entry since labels went into the
// file, in the order of their first, and the last name.
func inForce(all []asideRecord) (labels []asideRecord, name *asideRecord) {
	index := map[string]int{}
	for i, r := range all {
		switch at, known := index[r.Entry]; {
		case r.Moved:
			labels, index = nil, map[string]int{}
		case r.Name != nil:
			name = &all[i]
		case r.Label != nil && known:
			labels[at] = r
		case r.Label != nil:
			index[r.Entry] = len(labels)
			labels = append(labels, r)
		}
	}
	if name != nil && *name.Name == "" {
		name = nil
	}
	return labels, name
}

// asideName is what a name record says.
func asideName(r *asideRecord) *session.AsideName {
	if r == nil {
		return nil
	}
	return &session.AsideName{Text: *r.Name, Over: r.Over}
}

// AsideStamp looks what is kept aside of all sessions. It changes whenever
// something is; the zero time when nothing ever was.
func (l *Library) AsideStamp() time.Time {
	if l.asides == nil {
		return time.Time{}
	}
	l.asides.mu.Lock()
	defer l.asides.mu.Unlock()
	return l.asides.list()
}

// Aside answers what is kept of a session outside of its file, by its ids; ok is
// false when nothing is. It is quick for sessions that the last AsideStamp found
// nothing of.
func (l *Library) Aside(format, id string) (session.Aside, bool) {
	if l.asides == nil {
		return session.Aside{}, false
	}
	return l.asides.of(format, id)
}

func (a *sidecars) of(format, id string) (session.Aside, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.seen.IsZero() {
		a.list()
	}
	if len(a.names) == 0 {
		return session.Aside{}, false
	}
	base := a.base(format, id)
	c, ok := a.names[base]
	if !ok {
		return session.Aside{}, false
	}
	path := filepath.Join(a.dir, base)
	if now := a.stampOf(path); now != c.stamp {
		all, _, err := a.read(path)
		if err != nil {
			return c.sum, true // as it was: the session itself tells
		}
		c.stamp, c.sum = now, summed(all)
	}
	return c.sum, true
}

// list looks again which sessions something is kept of, if that may have changed,
// and answers when it did.
func (a *sidecars) list() time.Time {
	info, err := os.Stat(a.dir)
	if err != nil {
		return time.Time{}
	}
	if info.ModTime().Equal(a.seen) {
		return a.seen
	}
	files, err := os.ReadDir(a.dir)
	if err != nil {
		return a.seen
	}
	a.seen = info.ModTime()
	for _, f := range files {
		if a.names[f.Name()] == nil {
			a.names[f.Name()] = &sidecar{}
		}
	}
	return a.seen
}

// summed is what records come to for a list, which knows ids only.
func summed(all []asideRecord) session.Aside {
	labels, name := inForce(all)
	sum := session.Aside{Name: asideName(name)}
	for _, r := range labels {
		sum.Labels = append(sum.Labels, session.AsideLabel{Target: r.Entry, Text: *r.Label, Time: r.Time})
	}
	return sum
}
