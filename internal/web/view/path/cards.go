package path

import (
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/filediff"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// CallCards returns calls with their results as the path shows them. It ignores calls whose
// entries cannot be read.
func (r *Renderer) CallCards(s view.Scene, calls []filediff.Call, bodies filediff.Bodies) []components.ToolModel {
	b := cardBuilder{page: newPathPage(s, nil, 0, 0), at: map[session.Pos]int{}}
	b.page.live, b.page.runsTool = false, false
	for i := range calls {
		b.addEntry(s, calls[i].At, bodies)
		b.addEntry(s, calls[i].Result, bodies)
	}
	tools := toolBuilder{page: b.page, bodies: b.bodies, blocks: newBlockBuilder(r, b.page, b.bodies, pageLimits)}
	cards := make([]components.ToolModel, 0, len(calls))
	for i := range calls {
		c := &calls[i]
		answer, ok := b.at[c.At]
		if !ok {
			continue
		}
		res, ok := b.at[c.Result]
		if !ok || c.Result == c.At {
			res = -1
		}
		if blk := filediff.FindCall(&b.bodies[answer], c.Tool(s.Tree).ID, c.N); blk != nil {
			cards = append(cards, tools.buildTool(&callPlace{answer, c.N, blk}, res))
		}
	}
	return cards
}

// TextBlocks returns the texts of an entry as the path shows them, each cut at maxBytes.
func (r *Renderer) TextBlocks(s view.Scene, p session.Pos, body *session.Body, maxBytes int) (list []components.BlockModel) {
	page := newPathPage(s, nil, 0, 0)
	entry := pathEntry{Entry: *s.Tree.At(p), pos: p}
	limits := pageLimits
	limits.text = maxBytes
	b := newBlockBuilder(r, page, nil, limits)
	for i := range body.Blocks {
		if blk := &body.Blocks[i]; blk.Kind == session.BlockText && strings.TrimSpace(blk.Text) != "" {
			list = append(list, b.proseBlock(&entry, blk))
		}
	}
	return list
}

// cardBuilder collects the entries of calls.
type cardBuilder struct {
	page   *Page
	bodies []session.Body
	at     map[session.Pos]int // indexes of the entries
}

func (b *cardBuilder) addEntry(s view.Scene, p session.Pos, bodies filediff.Bodies) {
	body := bodies(p)
	if _, known := b.at[p]; known || body == nil {
		return
	}
	b.at[p] = len(b.bodies)
	b.page.entries = append(b.page.entries, pathEntry{Entry: *s.Tree.At(p), pos: p})
	b.bodies = append(b.bodies, *body)
}

// DiffModel returns the first n lines of a diff of a file as they are shown, and how many changed
// lines are left out.
func (r *Renderer) DiffModel(lines []filediff.Line, file string, n int) (shown []components.DiffLine, left int) {
	shown, left = cutDiffLines(diffLines(lines), n)
	blocks := &blockBuilder{renderer: r}
	(&toolBuilder{blocks: blocks}).highlightDiff(shown, languageName(file), &highlightBudget{left: pageHighlightBytes})
	return shown, left
}
