package comparison

import (
	"slices"
	"strconv"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/compare"
	"sessiontree/internal/session/filediff"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/session/toolkind"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/path"
	"sessiontree/web/components"
)

// Limits of what a turn lists.
const (
	firstCalls      = 3
	maxListedCalls  = 60
	maxTextBytes    = 8 << 10 // of a prompt, and of each text of an answer
	maxPlainAnswer  = 80      // bytes of an answer that fits into the two lines shown folded
	maxTablePrompts = 50      // of a side, in a comparison of more than two
)

func (b *builder) addSteps(m *components.CompareModel) {
	number := b.params.From
	if len(b.steps) > 0 && isContinuation(b.steps[0]) {
		number--
	}
	listed := b.listedSteps()
	for _, s := range listed {
		number++
		m.Steps = append(m.Steps, b.stepModel(s, number))
	}
	if next := b.params.From + len(listed); next < len(b.steps) {
		m.Later = &components.Link{Text: "Next " + components.Pluralize(min(maxSteps, len(b.steps)-next), "prompt", "prompts"), Href: href(b.Base(), b.ids, b.params.Tab, next)}
	}
}

// isContinuation reports whether a step continues the prompt above the ancestor.
func isContinuation(s compare.Step) bool {
	return s.A != nil && s.A.Prompt == session.NoPos || s.B != nil && s.B.Prompt == session.NoPos
}

// stepModel returns the model of a pair of prompts, the first of which has the number 1.
func (b *builder) stepModel(s compare.Step, number int) components.CompareStep {
	m := components.CompareStep{Title: "Prompt " + components.FormatCount(number)}
	turns := []*compare.Turn{s.A, s.B}
	texts := []string{b.promptText(s.A), b.promptText(s.B)}
	parts := make([][]compare.Part, 2)
	switch {
	case isContinuation(s):
		m.Title, m.Word = "Shared prompt", "continued"
	case s.A == nil:
		m.Word, parts[1] = "only in B", []compare.Part{{Text: texts[1], Differ: true}}
	case s.B == nil:
		m.Word, parts[0] = "only in A", []compare.Part{{Text: texts[0], Differ: true}}
	default:
		var like compare.Likeness
		like, parts[0], parts[1] = compare.DiffWords(texts[0], texts[1])
		m.Word, m.Same = like.String(), like == compare.Same
	}
	for i := range turns {
		m.Turns = append(m.Turns, b.turnModel(turns[i], i, parts[i]))
	}
	return m
}

// promptText returns the text of the prompt of a turn.
func (b *builder) promptText(turn *compare.Turn) string {
	if turn == nil || turn.Prompt == session.NoPos {
		return ""
	}
	text := b.Tree.At(turn.Prompt).Preview
	if whole := b.wholeText(turn.Prompt); whole != "" {
		text = whole
	}
	text, cut := view.CutBytes(view.EscapeInvisible(text), maxTextBytes)
	if cut {
		text += " …"
	}
	return text
}

// wholeText returns what the body of an entry says, "" if it says nothing.
func (b *builder) wholeText(at session.Pos) string {
	body := b.bodies(at)
	if body == nil {
		return ""
	}
	return strings.TrimSpace(path.EntryText(b.Tree.At(at).Kind, body, ""))
}

// turnModel returns the model of a turn, which may be nil.
func (b *builder) turnModel(turn *compare.Turn, side int, prompt []compare.Part) components.CompareTurn {
	m := components.CompareTurn{Letter: letter(side)}
	if turn == nil {
		return m
	}
	m.Only = "only in " + m.Letter + ": "
	m.Who = b.Audience.PromptAuthor()
	if turn.Prompt != session.NoPos {
		m.Time, m.Href = b.Config.MillisModel(b.Tree.At(turn.Prompt).Time), b.entryHref(side, turn.Prompt)
	}
	for _, p := range prompt {
		m.Prompt = append(m.Prompt, components.Span{Text: p.Text, Mark: p.Differ})
	}
	b.addAnswer(&m, turn, side)
	return m
}

func (b *builder) addAnswer(m *components.CompareTurn, turn *compare.Turn, side int) {
	if turn.Answer != session.NoPos {
		b.addAnswerText(m, turn.Answer, side)
	}
	if n := turn.Facts.Calls; n > 0 {
		m.Calls = components.Pluralize(n, "call", "calls")
	}
	if turn.Failed > 0 {
		m.Failed = components.FormatCount(turn.Failed) + " failed"
	}
	m.Changed, m.Took = components.LineCounts{Added: turn.Added, Removed: turn.Removed}, view.FormatDuration(turn.Waited)
	for i := range turn.Calls {
		if i == maxListedCalls {
			m.Rest = components.Pluralize(len(turn.Calls)-i, "more call", "more calls")
			break
		}
		call := b.callModel(&turn.Calls[i], side)
		if i < firstCalls {
			m.First = append(m.First, call)
		} else {
			m.Others = append(m.Others, call)
		}
	}
}

// addAnswerText adds the text of an answer: its start, and all of it if that is more.
func (b *builder) addAnswerText(m *components.CompareTurn, at session.Pos, side int) {
	m.Answer = view.EntryText(b.Tree, at)
	whole := b.wholeText(at)
	if len(whole) <= maxPlainAnswer && !strings.Contains(whole, "\n") {
		return
	}
	if len(whole) > len(m.Answer) {
		m.Answer += " …"
	}
	m.Blocks = b.render.TextBlocks(b.Scene, at, b.bodies(at), maxTextBytes)
	if slices.ContainsFunc(m.Blocks, func(blk components.BlockModel) bool { return blk.Cut }) {
		m.AnswerHref = b.entryHref(side, at)
	}
}

// callModel returns a call in one line.
func (b *builder) callModel(c *filediff.Call, side int) components.CompareCall {
	tool, result := c.Tool(b.Tree), b.Tree.At(c.Result)
	m := components.CompareCall{
		Name: view.OneLine(rowtext.Cut(tool.Name, 60)), Arg: view.CallText(b.Tree, tool), Icon: toolkind.Of(tool.Name), Href: b.entryHref(side, c.Result), Err: c.Failed,
	}
	switch {
	case tool.Outcome != nil:
		m.Status = view.OneLine(tool.Outcome.Status)
	default:
		m.Status = view.OneLine(result.Status())
		m.Changed = components.LineCounts{Added: int(result.Added()), Removed: int(result.Removed())}
	}
	if m.Err && m.Status == "" {
		m.Status = "failed"
	}
	return m
}

// addPrompts adds the prompts of a side.
func (b *builder) addPrompts(m *components.CompareSide, side int) {
	turns := b.result.Sides[side].Turns
	m.PromptCount = b.result.Sides[side].Facts.Prompts
	for i := range turns {
		p := turns[i].Prompt
		if p == session.NoPos {
			continue
		}
		if len(m.Prompts) == maxTablePrompts {
			m.Rest = "and " + strconv.Itoa(m.PromptCount-maxTablePrompts) + " more"
			return
		}
		m.Prompts = append(m.Prompts, components.Link{Text: rowtext.Cut(view.EntryText(b.Tree, p), 160), Href: b.entryHref(side, p)})
	}
}
