package claude

import (
	"cmp"
	"slices"

	"sessiontree/internal/session"
)

// buildContext returns what Claude Code would send the model at leaf, by the parents
// that the lines name: the graph that is shown puts results of tools that ran side
// by side elsewhere.
func buildContext(t *session.Tree, leaf session.Pos) session.Context {
	b := contextBuilder{t: t}
	path := b.recordedPath(leaf)
	rest := path
	var stand []session.Pos
	if len(path) > 0 && b.factsAt(path[0]).boundary {
		rest = path[1:]
		stand = b.preservedPath(path[0])
	}
	rest = b.completeAnswers(rest)
	if len(stand) > 0 {
		at := b.indexAfter(rest, b.factsAt(path[0]).preserved.anchor)
		rest = slices.Concat(rest[:at], stand, rest[at:])
	}
	c := session.Context{Thinking: "off"}
	b.readModelAndTokens(rest, leaf, &c)
	c.Items = b.contextItems(rest, reminderStyleFor(c.Model))
	return c
}

type contextBuilder struct {
	t *session.Tree
}

func (b *contextBuilder) factsAt(p session.Pos) *facts { return b.t.At(p).Extra.(*facts) }

// recordedPath lists the lines from the last compaction or the root to leaf, as each
// names the one before it. A line without an id has the place that it is shown at.
func (b *contextBuilder) recordedPath(leaf session.Pos) (path []session.Pos) {
	for leaf != session.NoPos && !b.factsAt(leaf).hasID {
		leaf = b.t.Parent(leaf)
	}
	seen := map[session.Pos]bool{}
	for p := leaf; p != session.NoPos && !seen[p]; {
		seen[p] = true
		path = append(path, p)
		e := b.t.At(p)
		if b.factsAt(p).boundary || !e.HasFlag(session.FlagHasParent) {
			break
		}
		p = b.t.FindID(e.Parent)
	}
	slices.Reverse(path)
	return path
}

// preservedPath lists the messages that a compaction lets stand.
func (b *contextBuilder) preservedPath(boundary session.Pos) (stand []session.Pos) {
	kept := &b.factsAt(boundary).preserved
	for _, id := range kept.messages {
		if p := b.t.FindID(id); p != session.NoPos {
			stand = append(stand, p)
		}
	}
	if len(kept.messages) > 0 || kept.tail == "" {
		return stand
	}
	head := b.t.FindID(kept.head)
	path := b.recordedPath(b.t.FindID(kept.tail))
	if at := slices.Index(path, head); head != session.NoPos && at >= 0 {
		return path[at:]
	}
	return nil
}

// indexAfter returns the index behind the line of an id, else behind the first line.
func (b *contextBuilder) indexAfter(path []session.Pos, id string) int {
	for i, p := range path {
		if b.t.At(p).ID == id {
			return i + 1
		}
	}
	return min(1, len(path))
}

// answerParts is the lines of one answer and of its results that are missing on the
// path: what ran side by side hangs on different blocks.
type answerParts struct {
	blocks  []session.Pos
	results []session.Pos
}

// completeAnswers puts the blocks of each answer together, in the order of the file,
// and the results of its calls behind them. The answer that the path ends in may go
// on: it stays as it is.
func (b *contextBuilder) completeAnswers(path []session.Pos) []session.Pos {
	parts, owner := b.collectAnswers(path)
	out := make([]session.Pos, 0, len(path))
	done := map[string]bool{}
	var due []session.Pos // results of the last answer that are not on the path
	for _, p := range path {
		x := b.factsAt(p)
		if x.sentAs == sentAnswer && x.message != "" {
			if !done[x.message] {
				done[x.message] = true
				out = append(append(out, due...), parts[x.message].blocks...)
				due = parts[x.message].results
			}
			continue
		}
		for len(due) > 0 && !(b.answersCallOnPath(x, owner) && b.compareRecorded(p, due[0]) < 0) {
			out, due = append(out, due[0]), due[1:]
		}
		out = append(out, p)
	}
	return append(out, due...)
}

// answersCallOnPath reports whether a line has results of calls on the path.
func (b *contextBuilder) answersCallOnPath(x *facts, owner map[string]string) bool {
	return slices.ContainsFunc(x.results, func(call string) bool { return owner[call] != "" })
}

// collectAnswers collects the blocks of the answers on a path, and the results of their
// calls that are not on it. owner names the answer that a call is of.
func (b *contextBuilder) collectAnswers(path []session.Pos) (parts map[string]*answerParts, owner map[string]string) {
	parts, owner = map[string]*answerParts{}, map[string]string{}
	on := make(map[session.Pos]bool, len(path))
	for _, p := range path {
		on[p] = true
		if x := b.factsAt(p); x.sentAs == sentAnswer && x.message != "" {
			if parts[x.message] == nil {
				parts[x.message] = &answerParts{}
			}
			parts[x.message].blocks = append(parts[x.message].blocks, p)
		}
	}
	last := ""
	if len(path) > 0 && b.factsAt(path[len(path)-1]).sentAs == sentAnswer {
		last = b.factsAt(path[len(path)-1]).message
	}
	for p := range session.Pos(b.t.Len()) {
		if b.t.At(p).Kind != session.KindAssistant || on[p] {
			continue
		}
		x := b.factsAt(p)
		if own := parts[x.message]; own != nil && x.sentAs == sentAnswer && x.message != last {
			own.blocks = append(own.blocks, p)
		}
	}
	for message, own := range parts {
		slices.SortFunc(own.blocks, b.compareRecorded)
		for _, p := range own.blocks {
			for _, call := range b.factsAt(p).calls {
				owner[call] = message
				if r := b.t.FindToolResult(call); r != session.NoPos && !on[r] && message != last && !slices.Contains(own.results, r) {
					own.results = append(own.results, r)
				}
			}
		}
		slices.SortFunc(own.results, b.compareRecorded)
	}
	return parts, owner
}

// compareRecorded orders lines as they were recorded.
func (b *contextBuilder) compareRecorded(p, q session.Pos) int {
	s, o := b.t.At(p).Span, b.t.At(q).Span
	return cmp.Or(cmp.Compare(s.File, o.File), cmp.Compare(s.Off, o.Off))
}

// readModelAndTokens reads the model and how much is in its context.
func (b *contextBuilder) readModelAndTokens(path []session.Pos, leaf session.Pos, c *session.Context) {
	for _, p := range path {
		c.Model = cmp.Or(b.namedModel(p), c.Model)
		if e := b.t.At(p); b.factsAt(p).sentAs == sentAnswer && e.Tokens() > 0 {
			c.Tokens = e.Tokens()
		}
	}
	for p := leaf; p != session.NoPos && c.Model == ""; p = b.t.Parent(p) { // before the compaction
		c.Model = b.namedModel(p)
	}
}

// namedModel is the model that a line names, "" when it names none.
func (b *contextBuilder) namedModel(p session.Pos) string {
	x := b.factsAt(p)
	if name := b.t.At(p).Name; x.sentAs == sentAnswer && name != syntheticModel {
		return name
	}
	if x.contextFacts != nil {
		return x.contextFacts.model
	}
	return ""
}

// syntheticModel is the model of answers that no model gave.
const syntheticModel = "<synthetic>"
