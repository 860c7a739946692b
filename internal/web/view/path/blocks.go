package path

import (
	"bytes"
	"encoding/json"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// blockBuilder builds the blocks of the entries of a page.
type blockBuilder struct {
	renderer     *Renderer
	page         *Page
	bodies       []session.Body
	limits       itemLimits
	images       imageCounter
	openBudget   *highlightBudget // highlighting of open blocks
	closedBudget *highlightBudget // highlighting of closed blocks
}

func newBlockBuilder(r *Renderer, pg *Page, bodies []session.Body, l itemLimits) *blockBuilder {
	all := pg.audience.Standalone
	return &blockBuilder{
		renderer: r, page: pg, bodies: bodies, limits: l,
		openBudget:   &highlightBudget{left: l.highlight, chargeCached: all},
		closedBudget: &highlightBudget{left: l.highlight / 2, chargeCached: all},
	}
}

// buildBlocks returns the blocks of the page's i-th entry.
func (bb *blockBuilder) buildBlocks(i int) []components.BlockModel {
	e, body := &bb.page.entries[i], &bb.bodies[i]
	var out []components.BlockModel
	for k := range body.Blocks {
		if k >= bb.limits.blocks {
			return append(out, bb.remainderBlock(i, k))
		}
		if m, ok := bb.buildBlock(e, k, &body.Blocks[k], bb.imagesBefore(body, k)); ok {
			out = append(out, m)
		}
	}
	return out
}

// buildBlock returns the model of the k-th block of an entry; image is the number of images
// before it. It reports false if there is nothing to show.
func (bb *blockBuilder) buildBlock(e *pathEntry, k int, blk *session.Block, image int) (m components.BlockModel, ok bool) {
	switch blk.Kind {
	case session.BlockText:
		if strings.TrimSpace(blk.Text) == "" {
			return m, false
		}
		m = bb.proseBlock(e, blk)
	case session.BlockThinking:
		m, ok = bb.thinkingBlock(blk)
		if !ok {
			return m, false
		}
	case session.BlockOutput:
		if strings.TrimSpace(blk.Text) == "" {
			return m, false
		}
		m = bb.renderer.outputBlock(blk.Text, bb.limits)
	case session.BlockImage:
		return bb.imageBlock(e, blk, image), true
	case session.BlockError:
		m = components.BlockModel{Kind: "error"}
		m.Text, m.Cut = view.CutBytes(view.EscapeInvisible(blk.Text), bb.limits.text)
	case session.BlockFile:
		m = bb.fileBlock(blk.Name, blk.Text, bb.openBudget)
		m.Name = view.OneLine(rowtext.Cut(view.ShortPath(blk.Name, bb.page.path.header.Cwd, bb.page.config.Home), view.MaxRowRunes))
	case session.BlockDiff:
		m = bb.renderer.outputBlock(blk.Text, bb.limits)
	case session.BlockInjected:
		m = bb.asideBlock(blk.Name, blk.Text)
	case session.BlockToolCall:
		m = bb.jsonBlock(blk.Args)
	default:
		m = bb.jsonBlock([]byte(blk.Text))
		m.Name = view.OneLine(blk.Name)
	}
	if m.Cut {
		m.More = bb.blockURL(e.ID, k)
		if m.Left == "" {
			m.Left = "Show all, " + view.FormatFileSize(int64(len(blk.Text)+len(blk.Args)))
		}
	}
	return m, true
}

// remainderBlock returns the placeholder for the blocks of the page's i-th entry from index
// k on.
func (bb *blockBuilder) remainderBlock(i, k int) components.BlockModel {
	n := len(bb.bodies[i].Blocks)
	m := components.BlockModel{Kind: "rest", Cut: true, Left: "Show all " + components.FormatCount(n) + " blocks"}
	if n-k > maxRemainingBlocks {
		m.Left = "Show " + components.FormatCount(maxRemainingBlocks) + " more of " + components.FormatCount(n) + " blocks"
	}
	m.More = bb.page.partURL(bb.page.entries[i].ID, "rest", k)
	return m
}

// remainingBlocks returns the blocks of the page's last entry from index k on.
func (tb *toolBuilder) remainingBlocks(k int) []components.BlockModel {
	i := len(tb.page.entries) - 1
	e, body := &tb.page.entries[i], &tb.bodies[i]
	show := func(k int) (components.BlockModel, bool) {
		return tb.blocks.buildBlock(e, k, &body.Blocks[k], tb.blocks.imagesBefore(body, k))
	}
	if e.Kind == session.KindToolResult {
		cl := tb.resultCall(i)
		show = func(k int) (components.BlockModel, bool) { return tb.buildResultBlock(&cl, i, k, tb.blocks.openBudget) }
	}
	var out []components.BlockModel
	for end := k + maxRemainingBlocks; k < len(body.Blocks); k++ {
		if k == end {
			return append(out, tb.blocks.remainderBlock(i, k))
		}
		if m, ok := show(k); ok {
			out = append(out, m)
		}
	}
	return out
}

// blockURL returns the address of the complete block.
func (bb *blockBuilder) blockURL(id string, k int) string {
	return bb.page.partURL(id, "block", k)
}

// proseBlock returns text by the user or the model. Text too long for the Markdown parser
// is shown as plain text.
func (bb *blockBuilder) proseBlock(e *pathEntry, blk *session.Block) components.BlockModel {
	head, cut := view.CutBytes(blk.Text, bb.limits.text)
	if len(head) > maxMarkdownBytes || e.Kind == session.KindSystem {
		if blk.Name != "" {
			head = blk.Name + "\n\n" + head
		}
		return components.BlockModel{Kind: "text", Text: view.EscapeInvisible(head), Cut: cut}
	}
	if blk.Name != "" {
		head = "**" + view.OneLine(blk.Name) + "**\n\n" + head
	}
	breaks := e.Kind != session.KindAssistant && e.Kind != session.KindCompaction && e.Kind != session.KindBranchSummary
	return components.BlockModel{Kind: "md", HTML: bb.renderer.renderMarkdown(head, breaks, bb.openBudget), Cut: cut}
}

func (bb *blockBuilder) thinkingBlock(blk *session.Block) (components.BlockModel, bool) {
	m := components.BlockModel{Kind: "thinking"}
	text := strings.TrimSpace(blk.Text)
	switch {
	case text != "":
		m.Short = view.OneLine(rowtext.Cut(text, 120))
		head, cut := view.CutBytes(text, bb.limits.text)
		m.Cut = cut
		if len(head) > maxMarkdownBytes {
			m.Text = view.EscapeInvisible(head)
		} else {
			m.HTML = bb.renderer.renderMarkdown(head, true, bb.openBudget)
		}
	case blk.Redacted:
		m.Short, m.Text = "not in the file", "The provider did not return the text of this thinking."
	default:
		return m, false
	}
	return m, true
}

// fileBlock returns the content of a file, highlighted by its name within the budget.
func (bb *blockBuilder) fileBlock(name, text string, r *highlightBudget) components.BlockModel {
	text = strings.TrimRight(text, "\n")
	head, left := view.CutLines(text, bb.limits.lines)
	head, cut := view.CutBytes(head, bb.limits.text)
	m := components.BlockModel{Kind: "file", Cut: cut || left > 0}
	if left > 0 {
		m.Left = "Show " + components.Pluralize(left, "more line", "more lines")
	}
	head = view.EscapeInvisible(strings.ReplaceAll(head, "\r\n", "\n"))
	var ok bool
	if m.HTML, ok = bb.renderer.code.highlightCode(head, languageName(name), r); !ok {
		m.Text = head
	}
	return m
}

// jsonBlock returns recorded JSON, indented.
func (bb *blockBuilder) jsonBlock(raw []byte) components.BlockModel {
	text := indentJSON(raw, bb.limits.text)
	head, left := view.CutLines(text, bb.limits.lines)
	head, cut := view.CutBytes(head, bb.limits.text)
	m := components.BlockModel{Kind: "json", Text: view.EscapeInvisible(head), Cut: cut || left > 0}
	if left > 0 {
		m.Left = "Show " + components.Pluralize(left, "more line", "more lines")
	}
	return m
}

// indentJSON indents JSON. Input far longer than the limit is returned unchanged, since
// indenting takes linear time.
func indentJSON(raw []byte, limit int) string {
	if len(raw) > 8*limit {
		return string(raw)
	}
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}
