package wave

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// forkPath makes a new session of the path to leaf.
func forkPath(t *session.Tree, leaf session.Pos, from string, src session.LineReader, m session.IDSource) (session.NewFile, error) {
	path := t.Path(leaf)
	for _, p := range path {
		if t.At(p).HasFlag(session.FlagAgent) {
			return session.NewFile{}, errSubagentThread
		}
	}
	return extractSelection(t, session.Selection{Keep: path, Top: leaf, Leaf: leaf}, from, src, m)
}

var errSubagentThread = fmt.Errorf("%w: this entry belongs to a sub-agent, which Wave cannot continue", session.ErrInvalid)

// extractSelection makes a session file of a selection: a new header, the unchanged lines, and the
// messages that compactions recorded again, because Wave continues from the last compaction in a
// file. The format has no branches, so of a selection with branches only the path to the leaf is
// exported. The work of a single subagent becomes a normal session. The format has no place for
// labels and names.
func extractSelection(t *session.Tree, part session.Selection, _ string, _ session.LineReader, m session.IDSource) (session.NewFile, error) {
	keep := part.Keep
	f := &pathCopier{tree: t, copied: map[session.Pos]string{}, replays: map[session.Pos]bool{}}
	if f.splitsCompaction(keep) {
		return session.NewFile{}, fmt.Errorf("%w: a compaction in a Wave file repeats what is above it, so that cannot be left out. Include the path", session.ErrInvalid)
	}
	line, err := f.selectPath(keep)
	if err != nil {
		return session.NewFile{}, err
	}
	for i, p := range line {
		f.copyWithReplays(p, i == len(line)-1)
	}
	switch {
	case f.hasTextVersion:
		return session.NewFile{}, fmt.Errorf("%w: %s", session.ErrInvalid, textVersionRefused)
	case f.hasAgent:
		return session.NewFile{}, errSubagentThread
	case !f.hasMessage:
		return session.NewFile{}, fmt.Errorf("%w: the path has only hidden messages, and Wave deletes such files", session.ErrInvalid)
	}
	id := m.OrderedSessionID()
	lines := append([]session.FileLine{{Pos: session.NoPos, Text: composeHeader(t.Header(), m.Now)}}, f.lines...)
	return session.NewFile{ID: id, Name: id + ".jsonl", Lines: lines, LossWarning: f.describeOmitted(keep), Annotations: f.newFileAnnotations()}, nil
}

// splitsCompaction reports whether a compaction in keep summarizes omitted entries above keep, or
// whether keep begins with a message that a compaction recorded again.
func (f *pathCopier) splitsCompaction(keep []session.Pos) bool {
	return len(keep) > 0 && f.tree.Parent(keep[0]) != session.NoPos && !f.tree.At(keep[0]).HasFlag(session.FlagAgent) &&
		(f.isReplay(keep[0]) || slices.ContainsFunc(keep, func(p session.Pos) bool { return f.tree.At(p).Kind == session.KindCompaction }))
}

// pathCopier copies the lines of a path.
type pathCopier struct {
	tree                                 *session.Tree
	lines                                []session.FileLine
	copied                               map[session.Pos]string // ids in the new file
	replays                              map[session.Pos]bool   // selected messages that were recorded again
	hasTextVersion, hasAgent, hasMessage bool
}

// selectPath returns keep without replays, which are copied together with their parents. If keep
// branches, it returns the path to the leaf.
func (f *pathCopier) selectPath(keep []session.Pos) (line []session.Pos, err error) {
	above, branches := session.NoPos, false
	for _, p := range keep {
		if above != session.NoPos && f.isReplay(p) {
			f.replays[p] = true
			continue
		}
		branches = branches || above != session.NoPos && f.tree.Parent(p) != above
		line, above = append(line, p), p
	}
	if !branches {
		return line, nil
	}
	path := f.tree.Path(f.tree.Leaf())
	if from := slices.Index(path, keep[0]); from >= 0 && slices.Contains(keep, f.tree.Leaf()) {
		return path[from:], nil
	}
	return nil, fmt.Errorf("%w: %s Export the path to an entry instead", session.ErrInvalid, onePathOnly)
}

// isReplay reports whether a compaction recorded the entry again.
func (f *pathCopier) isReplay(p session.Pos) bool {
	e := f.tree.At(p)
	return e.HasFlag(session.FlagArtifact) && !e.StartsThread()
}

func (f *pathCopier) copyWithReplays(p session.Pos, last bool) {
	e := f.tree.At(p)
	f.hasAgent = f.hasAgent || e.HasFlag(session.FlagAgent) && len(f.lines) > 0
	f.hasTextVersion = f.hasTextVersion || e.Extra.(*facts).version == textVersion
	f.hasMessage = f.hasMessage || !e.HasFlag(session.FlagHidden) && e.Kind != session.KindUnknown && e.Kind != session.KindEvent
	f.copyEntry(p)
	for _, k := range f.tree.Children(p) {
		if f.isReplay(k) && (!last || e.Kind == session.KindCompaction || f.replays[k]) {
			f.copyEntry(k)
		}
	}
}

// copyEntry copies a line. An entry without an id is identified by its line number, which the
// header shifts by one.
func (f *pathCopier) copyEntry(p session.Pos) {
	f.lines = append(f.lines, session.FileLine{Pos: p})
	e := f.tree.At(p)
	f.copied[p] = e.ID
	if e.Extra.(*facts).id == "" {
		f.copied[p] = "L" + strconv.Itoa(len(f.lines)+1)
	}
}

// describeOmitted describes the entries of keep that the file cannot hold.
func (f *pathCopier) describeOmitted(keep []session.Pos) string {
	agents, others := 0, 0
	ofAgent := map[session.Pos]bool{}
	for _, p := range keep { // parents come before their children
		ofAgent[p] = f.tree.At(p).HasFlag(session.FlagAgent) || ofAgent[f.tree.Parent(p)]
		switch _, in := f.copied[p]; {
		case in:
		case ofAgent[p]:
			agents++
		default:
			others++
		}
	}
	var all []string
	if agents > 0 {
		all = append(all, fmt.Sprintf("Sub-agents (%d entries) are in separate files and are left out.", agents))
	}
	if others > 0 {
		all = append(all, fmt.Sprintf("A Wave file holds one branch: the others (%d entries) are left out.", others))
	}
	return strings.Join(all, " ")
}

// newFileAnnotations returns the labels and the name, which the file cannot hold.
func (f *pathCopier) newFileAnnotations() (a session.Annotations) {
	for _, l := range f.tree.Labels() {
		if id, in := f.copied[l.Target]; in {
			a.Labels = append(a.Labels, session.LabelAnnotation{Target: id, Text: l.Text, Time: l.Time})
		}
	}
	if name := f.tree.Header().Name; name != "" {
		a.Name = &session.NameAnnotation{Text: name}
	}
	return a
}

// composeHeader returns the first line of a session in Wave's form.
func composeHeader(h session.Header, now int64) []byte {
	b := []byte(`{"type":"metadata"`)
	add := func(key, value string) {
		b = append(append(append(b, `,"`...), key...), `":`...)
		b = jsonl.AppendString(b, value)
	}
	if h.Cwd != "" && !h.CwdGuessed {
		add("workdir", h.Cwd)
	}
	add("createdAt", time.UnixMilli(now).UTC().Format("2006-01-02T15:04:05.000Z"))
	if h.GitBranch != "" {
		add("gitBranch", h.GitBranch)
	}
	return append(b, '}')
}

// fingerprintLine returns a hash of a line's content without its id.
func fingerprintLine(line []byte) uint64 {
	c := jsonl.NewCursor(line)
	sum := uint64(0)
	for _, f := range jsonl.ObjectFields(c.Value()) {
		if string(f.Key) == "id" {
			continue
		}
		h := fnv.New64a()
		h.Write(f.Key)
		text, _ := jsonl.AppendCompact([]byte{0}, f.Value, jsonl.Unlimited)
		h.Write(text)
		sum += h.Sum64() // independent of the order of keys
	}
	return sum
}
