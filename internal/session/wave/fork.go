package wave

import (
	"fmt"
	"hash/fnv"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// fork makes a new session of the path to leaf.
func fork(t *session.Tree, leaf session.Pos, from string, src session.Source, m session.Mint) (session.NewFile, error) {
	return extract(t, t.Path(leaf), from, src, m)
}

// extract makes a session file of the entries in keep: a header of its own, then
// the lines as they are, and with them what compactions wrote again, because
// Wave goes on from the last compaction in a file. A file of Wave's is one line of
// messages, so keep must not branch.
func extract(t *session.Tree, keep []session.Pos, _ string, _ session.Source, m session.Mint) (session.NewFile, error) {
	f := &forker{tree: t}
	if len(keep) > 0 && t.Parent(keep[0]) != session.NoPos {
		return session.NewFile{}, fmt.Errorf("%w: a compaction in a file of Wave's tells what stood above it once more, so nothing of that can be left out. Take the path with it", session.ErrInvalid)
	}
	above := session.NoPos
	var line []session.Pos
	for _, p := range keep {
		switch e := t.At(p); {
		case above == session.NoPos:
		case e.Has(session.FlagArtifact) && !e.Begins():
			continue // comes with the entry it hangs on
		case t.Parent(p) != above:
			return session.NewFile{}, fmt.Errorf("%w: %s Export the path to an entry instead", session.ErrInvalid, oneLine)
		}
		line, above = append(line, p), p
	}
	for i, p := range line {
		f.entry(p, i == len(line)-1)
	}
	switch {
	case f.old:
		return session.NewFile{}, fmt.Errorf("%w: %s", session.ErrInvalid, tooOld)
	case f.agent:
		return session.NewFile{}, fmt.Errorf("%w: this is the line of a subagent, which Wave does not go on with", session.ErrInvalid)
	case !f.spoken:
		return session.NewFile{}, fmt.Errorf("%w: there is no message on the path but hidden ones, and Wave deletes such files", session.ErrInvalid)
	}
	id := m.Ordered()
	lines := append([]session.FileLine{{Pos: session.NoPos, Text: header(t.Header(), m.Now)}}, f.lines...)
	return session.NewFile{ID: id, Name: id + ".jsonl", Lines: lines}, nil
}

// forker collects the lines of a path.
type forker struct {
	tree               *session.Tree
	lines              []session.FileLine
	old, agent, spoken bool
}

func (f *forker) entry(p session.Pos, last bool) {
	e := f.tree.At(p)
	f.lines = append(f.lines, session.FileLine{Pos: p})
	f.old = f.old || e.Extra.(*facts).version == textVersion
	f.agent = f.agent || e.Has(session.FlagAgent)
	f.spoken = f.spoken || !e.Has(session.FlagHidden) && e.Kind != session.KindUnknown && e.Kind != session.KindEvent
	if last && e.Kind != session.KindCompaction {
		return
	}
	for _, k := range f.tree.Children(p) {
		if f.tree.At(k).Has(session.FlagArtifact) && !f.tree.At(k).Begins() {
			f.lines = append(f.lines, session.FileLine{Pos: k})
		}
	}
}

// header writes the first line of a session as Wave does.
func header(h session.Header, now int64) []byte {
	b := []byte(`{"type":"metadata"`)
	add := func(key, value string) {
		b = append(append(append(b, `,"`...), key...), `":`...)
		b = jsonl.AppendString(b, value)
	}
	if h.Cwd != "" && !h.Guessed {
		add("workdir", h.Cwd)
	}
	add("createdAt", time.UnixMilli(now).UTC().Format("2006-01-02T15:04:05.000Z"))
	if h.GitBranch != "" {
		add("gitBranch", h.GitBranch)
	}
	return append(b, '}')
}

// fingerprint is a hash of what a line says, but for its id.
func fingerprint(line []byte) uint64 {
	c := jsonl.Open(line)
	sum := uint64(0)
	for _, f := range jsonl.Fields(c.Value()) {
		if string(f.Key) == "id" {
			continue
		}
		h := fnv.New64a()
		h.Write(f.Key)
		text, _ := jsonl.AppendCompact([]byte{0}, f.Value, jsonl.Unlimited)
		h.Write(text)
		sum += h.Sum64() // whatever the order of the keys
	}
	return sum
}
