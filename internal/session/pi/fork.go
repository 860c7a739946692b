package pi

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// forker makes the file of one path.
type forker struct {
	*dialect
	tree   *session.Tree
	src    session.Source
	fresh  fresh
	names  names
	old    bool
	copied map[session.Pos]bool
	next   map[session.Pos]session.Pos // the entry copied after a label that is not
	lines  []session.FileLine
}

// fork makes a new session of the path to leaf, leaf included, as pi's
// createBranchedSession does since version 1.5: labels are left out of the path,
// each entry hangs on the kept one before it, and what a compaction keeps begins at
// an entry that is kept. The labels in force are set again at the end, with their
// own times. Lines of an old version are migrated; all others stay as they are,
// but for what is said here.
func (d *dialect) fork(t *session.Tree, leaf session.Pos, from string, src session.Source, m session.Mint) (session.NewFile, error) {
	w := &forker{dialect: d, tree: t, src: src, old: t.Header().Migrated, copied: map[session.Pos]bool{}, next: map[session.Pos]session.Pos{}}
	w.fresh = fresh{mint: m, taken: func(id string) bool { return t.Find(id) != session.NoPos }}
	w.names = names{minted: map[string]string{}, recorded: w.recorded}
	path, err := w.kept(leaf)
	if err != nil {
		return session.NewFile{}, err
	}
	file := w.head(from, m)
	for i := range path {
		if err := w.entry(path, i); err != nil {
			return session.NewFile{}, err
		}
	}
	w.labels(path[len(path)-1], m.Now)
	file.Lines = append(file.Lines, w.lines...)
	return file, nil
}

// kept lists the path without its labels.
func (w *forker) kept(leaf session.Pos) (path []session.Pos, err error) {
	answered := false
	var left []session.Pos
	for _, p := range w.tree.Path(leaf) {
		kind := w.tree.At(p).Kind
		if kind == session.KindLabel {
			left = append(left, p)
			continue
		}
		for _, label := range left {
			w.next[label] = p
		}
		path, left = append(path, p), left[:0]
		w.copied[p] = true
		answered = answered || kind == session.KindAssistant
	}
	if !answered {
		return nil, fmt.Errorf("%w: there is no answer on the path yet, and the agent opens only sessions with one. Begin a new session there with the prompt", session.ErrInvalid)
	}
	return path, nil
}

// entry writes the entry at path[i] under the one before it.
func (w *forker) entry(path []session.Pos, i int) error {
	p := path[i]
	e, changed := *w.tree.At(p), w.old
	before := session.NoPos
	if i > 0 {
		before = path[i-1]
	}
	if parent := w.tree.Parent(p); parent != before || parent == session.NoPos && e.Has(session.FlagHasParent) {
		changed = true
	}
	e.Parent, e.Flags = "", e.Flags&^session.FlagHasParent
	if before != session.NoPos {
		e.Parent, e.Flags = w.tree.At(before).ID, e.Flags|session.FlagHasParent
	}
	if target := w.firstKept(&e); target != e.Target {
		e.Target, changed = target, true
	}
	// Reading calls an entry without an id by its line.
	nameless := e.ID == "L"+strconv.Itoa(int(e.Span.Line))
	if !changed && !nameless {
		w.lines = append(w.lines, session.FileLine{Pos: p})
		return nil
	}
	return w.rewrite(p, &e, nameless)
}

// firstKept is the entry from which a compaction keeps: when it names a label that
// is left out, the next one that is not.
func (w *forker) firstKept(e *session.Entry) string {
	if e.Kind != session.KindCompaction {
		return e.Target
	}
	if next, left := w.next[w.tree.Find(e.Target)]; left {
		return w.tree.At(next).ID
	}
	return e.Target
}

// rewrite writes a line that is not copied as it stands.
func (w *forker) rewrite(p session.Pos, e *session.Entry, nameless bool) error {
	line, err := w.src(p)
	if err != nil {
		return err
	}
	if nameless {
		o := jsonl.Fields(jsonl.Value{Raw: line})
		if !isNameable(o.Get("id")) && !isNameable(o.Get("uuid")) {
			w.names.minted[e.ID] = w.fresh.id()
		}
	}
	if w.old {
		line, err = upgrade(line, e, float64(w.tree.Header().Version), w.names)
	} else {
		line, err = settle(line, e, w.names)
	}
	w.lines = append(w.lines, session.FileLine{Pos: p, Text: line})
	return err
}

// recorded is an id as JSON. One that could be a number, holds half a character or
// was cut is taken from its line.
func (w *forker) recorded(id string) []byte {
	_, err := strconv.ParseFloat(id, 64)
	p := w.tree.Find(id)
	if p == session.NoPos || err != nil && !strings.ContainsAny(id, `\~`) {
		return quoted(id)
	}
	line, err := w.src(p)
	if err != nil {
		return quoted(id)
	}
	if raw, err := recordedID(line); err == nil && raw != nil {
		return raw
	}
	return quoted(id)
}

// labels sets the labels in force again, after the entry at last.
func (w *forker) labels(last session.Pos, now int64) {
	above := w.names.of(w.tree.At(last).ID)
	for _, l := range w.tree.Labels() {
		if !w.copied[l.Target] {
			continue
		}
		if l.Time == session.NoTime {
			l.Time = now
		}
		id := quoted(w.fresh.id())
		target := w.names.of(w.tree.At(l.Target).ID)
		w.lines = append(w.lines, session.FileLine{Pos: session.NoPos, Text: labelLine(id, above, l.Time, target, l.Text)})
		above = id
	}
}

// maxHeader is how long pi before 1.5 lets a header be, in bytes: a session with a
// longer one is opened, but never as the most recent one.
const maxHeader = 512

// head begins a file: its id, its name, the lines before the first entry.
func (w *forker) head(from string, m session.Mint) session.NewFile {
	h := w.tree.Header()
	h.ID, h.Time, h.Parent = w.sessionID(m), m.Now, from
	file := session.NewFile{ID: h.ID, Name: fileName(&h)}
	title := ""
	if w.titled {
		title = h.Name
	}
	// Files of oh-my-pi since version 18 begin with a slot for the title.
	if w.titled && !nanoid(w.tree.Header().ID) {
		file.Lines = append(file.Lines, session.FileLine{Pos: session.NoPos, Text: titleSlot(title, m.Now)})
	}
	line := headerLine(&h, title)
	if len(line) > maxHeader && len(file.Lines) > 0 {
		line = headerLine(&h, "") // the slot has it
	}
	if h.Parent = ""; len(line) > maxHeader && len(headerLine(&h, "")) <= maxHeader {
		line = headerLine(&h, "")
	}
	file.Lines = append(file.Lines, session.FileLine{Pos: session.NoPos, Text: line})
	return file
}

// sessionID is a new id in the form of the source's: oh-my-pi before version 18
// is known by its own.
func (w *forker) sessionID(m session.Mint) string {
	id := m.Session()
	if w.titled && nanoid(w.tree.Header().ID) {
		sum := sha256.Sum256([]byte(id))
		return base64.RawURLEncoding.EncodeToString(sum[:])[:21]
	}
	return id
}

func fileName(h *session.Header) string {
	return strings.NewReplacer(":", "-", ".", "-").Replace(iso(h.Time)) + "_" + h.ID + ".jsonl"
}

// headerLine makes a header. What is empty is left out.
func headerLine(h *session.Header, title string) []byte {
	pairs := []pair{
		{"type", quoted("session")}, {"version", strconv.AppendInt(nil, current, 10)}, {"id", quoted(h.ID)},
		{"timestamp", quoted(iso(h.Time))}, {"cwd", quoted(h.Cwd)},
	}
	for _, p := range []struct{ key, text string }{{"parentSession", h.Parent}, {"title", title}} {
		if p.text != "" {
			pairs = append(pairs, pair{p.key, quoted(p.text)})
		}
	}
	return compose(pairs...)
}

// titleSlot makes the first line of a file of oh-my-pi: with its end exactly slotLen
// bytes, a title that is too long cut between characters.
func titleSlot(title string, now int64) []byte {
	for {
		slot := compose(pair{"type", quoted("title")}, pair{"v", []byte("1")}, pair{"title", quoted(title)},
			pair{"updatedAt", quoted(iso(now))}, pair{"pad", quoted("")})
		if free := slotLen - 1 - len(slot); free >= 0 {
			return append(append(slot[:len(slot)-2:len(slot)-2], strings.Repeat(" ", free)...), `"}`...)
		}
		cut := []rune(title)
		title = string(cut[:len(cut)-1])
	}
}
