package claude

import (
	"cmp"
	"slices"

	"sessiontree/internal/session"
)

// buildContext returns what Claude Code would send to the model at leaf. It follows the recorded
// parents, because the arranged tree moves the results of parallel tool calls.
func buildContext(t *session.Tree, leaf session.Pos) session.Context {
	b := contextBuilder{t: t}
	path := b.recordedPath(leaf)
	rest := path
	var preserved []session.Pos
	if len(path) > 0 && b.factsAt(path[0]).Boundary {
		rest = path[1:]
		preserved = b.preservedPath(path[0])
	}
	rest = b.completeAnswers(rest)
	if len(preserved) > 0 {
		at := b.indexAfter(rest, b.factsAt(path[0]).preserved.anchor)
		rest = slices.Concat(rest[:at], preserved, rest[at:])
	}
	c := session.Context{Thinking: "off"}
	b.setModelAndTokens(rest, leaf, &c)
	c.Items = b.contextItems(rest, reminderStyleFor(c.Model))
	return c
}

type contextBuilder struct {
	t *session.Tree
}

func (b *contextBuilder) factsAt(p session.Pos) *facts { return b.t.At(p).Extra.(*facts) }

// recordedPath lists the lines from the last compaction or the root to leaf by their recorded
// parents. A line without an id counts as its parent in the tree.
func (b *contextBuilder) recordedPath(leaf session.Pos) (path []session.Pos) {
	for leaf != session.NoPos && !b.factsAt(leaf).hasID {
		leaf = b.t.Parent(leaf)
	}
	seen := make([]bool, b.t.Len())
	for p := leaf; p != session.NoPos && !seen[p]; {
		seen[p] = true
		path = append(path, p)
		e := b.t.At(p)
		if b.factsAt(p).Boundary || !e.HasFlag(session.FlagHasParent) {
			break
		}
		p = b.t.FindID(e.Parent)
	}
	slices.Reverse(path)
	return path
}

// preservedPath lists the messages that a compaction preserves.
func (b *contextBuilder) preservedPath(boundary session.Pos) (messages []session.Pos) {
	segment := &b.factsAt(boundary).preserved
	for _, id := range segment.messages {
		if p := b.t.FindID(id); p != session.NoPos {
			messages = append(messages, p)
		}
	}
	if len(segment.messages) > 0 || segment.tail == "" {
		return messages
	}
	head := b.t.FindID(segment.head)
	path := b.recordedPath(b.t.FindID(segment.tail))
	if at := slices.Index(path, head); head != session.NoPos && at >= 0 {
		return path[at:]
	}
	return nil
}

// indexAfter returns the index after the line with an id, or after the first line.
func (b *contextBuilder) indexAfter(path []session.Pos, id string) int {
	for i, p := range path {
		if b.t.At(p).ID == id {
			return i + 1
		}
	}
	return min(1, len(path))
}

// answerParts are the lines of one answer, and those of its results that are not on the path.
// Results of parallel calls are children of different blocks.
type answerParts struct {
	blocks  []session.Pos
	results []session.Pos
}

// completeAnswers groups the blocks of each answer in file order, followed by the results of its
// calls. The answer at the end of the path may be incomplete and stays as it is.
func (b *contextBuilder) completeAnswers(path []session.Pos) []session.Pos {
	parts, owner := b.collectAnswers(path)
	out := make([]session.Pos, 0, len(path))
	done := map[string]bool{}
	var due []session.Pos // results of the previous answer that are not on the path
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

// answersCallOnPath reports whether a line holds results of calls on the path.
func (b *contextBuilder) answersCallOnPath(x *facts, owner map[string]string) bool {
	return slices.ContainsFunc(x.Results, func(call string) bool { return owner[call] != "" })
}

// collectAnswers collects the blocks of the answers on a path and the results of their calls that
// are not on it. owner maps a call to the message id of its answer.
func (b *contextBuilder) collectAnswers(path []session.Pos) (parts map[string]*answerParts, owner map[string]string) {
	parts, owner = map[string]*answerParts{}, map[string]string{}
	on := make([]bool, b.t.Len())
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
			for _, call := range b.factsAt(p).Calls {
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

// compareRecorded compares lines by the order in which they were recorded.
func (b *contextBuilder) compareRecorded(p, q session.Pos) int {
	s, o := b.t.At(p).Span, b.t.At(q).Span
	return cmp.Or(cmp.Compare(s.File, o.File), cmp.Compare(s.Off, o.Off))
}

// setModelAndTokens sets the model of a context and its size in tokens.
func (b *contextBuilder) setModelAndTokens(path []session.Pos, leaf session.Pos, c *session.Context) {
	for _, p := range path {
		c.Model = cmp.Or(b.namedModel(p), c.Model)
		if e := b.t.At(p); b.factsAt(p).sentAs == sentAnswer && e.Tokens() > 0 {
			c.Tokens = e.Tokens()
		}
	}
	for p := leaf; p != session.NoPos && c.Model == ""; p = b.t.Parent(p) { // entries before the compaction
		c.Model = b.namedModel(p)
	}
}

// namedModel returns the model that a line names, "" if none.
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

// syntheticModel is the model name of messages that no model generated.
const syntheticModel = "<synthetic>"
