package view

import (
	"bytes"
	"encoding/json"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
	"sessiontree/web/components"
)

// buildBlocks returns the blocks of the page's i-th entry.
func (ib *itemBuilder) buildBlocks(i int) []components.BlockModel {
	e, body := &ib.page.entries[i], &ib.bodies[i]
	var out []components.BlockModel
	for k := range body.Blocks {
		if k >= ib.limits.blocks {
			return append(out, ib.remainderBlock(i, k))
		}
		if m, ok := ib.buildBlock(e, k, &body.Blocks[k], ib.imagesBefore(body, k)); ok {
			out = append(out, m)
		}
	}
	return out
}

// buildBlock returns the model of the k-th block of an entry; image is the number of images
// before it. It reports false if there is nothing to show.
func (ib *itemBuilder) buildBlock(e *pathEntry, k int, blk *session.Block, image int) (m components.BlockModel, ok bool) {
	switch blk.Kind {
	case session.BlockText:
		if strings.TrimSpace(blk.Text) == "" {
			return m, false
		}
		m = ib.proseBlock(e, blk)
	case session.BlockThinking:
		m, ok = ib.thinkingBlock(blk)
		if !ok {
			return m, false
		}
	case session.BlockOutput:
		if strings.TrimSpace(blk.Text) == "" {
			return m, false
		}
		m = ib.renderer.outputBlock(blk.Text, ib.limits)
	case session.BlockImage:
		return ib.imageBlock(e, blk, image), true
	case session.BlockError:
		m = components.BlockModel{Kind: "error"}
		m.Text, m.Cut = cutBytes(escapeInvisible(blk.Text), ib.limits.text)
	case session.BlockFile:
		m = ib.fileBlock(blk.Name, blk.Text, ib.openBudget)
		m.Name = oneLine(rowtext.Cut(shortPath(blk.Name, ib.page.path.header.Cwd, ib.page.config.Home), maxRowRunes))
	case session.BlockDiff:
		m = ib.renderer.outputBlock(blk.Text, ib.limits)
	case session.BlockInjected:
		m = ib.asideBlock(blk.Name, blk.Text)
	case session.BlockToolCall:
		m = ib.jsonBlock(blk.Args)
	default:
		m = ib.jsonBlock([]byte(blk.Text))
		m.Name = oneLine(blk.Name)
	}
	if m.Cut {
		m.More = ib.blockURL(e.ID, k)
		if m.Left == "" {
			m.Left = "Show all, " + formatFileSize(int64(len(blk.Text)+len(blk.Args)))
		}
	}
	return m, true
}

// remainderBlock returns the placeholder for the blocks of the page's i-th entry from index
// k on.
func (ib *itemBuilder) remainderBlock(i, k int) components.BlockModel {
	n := len(ib.bodies[i].Blocks)
	m := components.BlockModel{Kind: "rest", Cut: true, Left: "Show all " + components.FormatCount(n) + " blocks"}
	if n-k > maxRemainingBlocks {
		m.Left = "Show " + components.FormatCount(maxRemainingBlocks) + " more of " + components.FormatCount(n) + " blocks"
	}
	m.More = ib.page.partURL(ib.page.entries[i].ID, "rest", k)
	return m
}

// remainingBlocks returns the blocks of the page's last entry from index k on.
func (ib *itemBuilder) remainingBlocks(k int) []components.BlockModel {
	i := len(ib.page.entries) - 1
	e, body := &ib.page.entries[i], &ib.bodies[i]
	show := func(k int) (components.BlockModel, bool) {
		return ib.buildBlock(e, k, &body.Blocks[k], ib.imagesBefore(body, k))
	}
	if e.Kind == session.KindToolResult {
		cl := ib.resultCall(i)
		show = func(k int) (components.BlockModel, bool) { return ib.buildResultBlock(&cl, i, k, ib.openBudget) }
	}
	var out []components.BlockModel
	for end := k + maxRemainingBlocks; k < len(body.Blocks); k++ {
		if k == end {
			return append(out, ib.remainderBlock(i, k))
		}
		if m, ok := show(k); ok {
			out = append(out, m)
		}
	}
	return out
}

// blockURL returns the address of the complete block.
func (ib *itemBuilder) blockURL(id string, k int) string {
	return ib.page.partURL(id, "block", k)
}

// proseBlock returns text by the user or the model. Text too long for the Markdown parser
// is shown as plain text.
func (ib *itemBuilder) proseBlock(e *pathEntry, blk *session.Block) components.BlockModel {
	head, cut := cutBytes(blk.Text, ib.limits.text)
	if len(head) > maxMarkdownBytes || e.Kind == session.KindSystem {
		if blk.Name != "" {
			head = blk.Name + "\n\n" + head
		}
		return components.BlockModel{Kind: "text", Text: escapeInvisible(head), Cut: cut}
	}
	if blk.Name != "" {
		head = "**" + oneLine(blk.Name) + "**\n\n" + head
	}
	breaks := e.Kind != session.KindAssistant && e.Kind != session.KindCompaction && e.Kind != session.KindBranchSummary
	return components.BlockModel{Kind: "md", HTML: ib.renderer.renderMarkdown(head, breaks, ib.openBudget), Cut: cut}
}

func (ib *itemBuilder) thinkingBlock(blk *session.Block) (components.BlockModel, bool) {
	m := components.BlockModel{Kind: "thinking"}
	text := strings.TrimSpace(blk.Text)
	switch {
	case text != "":
		m.Short = oneLine(rowtext.Cut(text, 120))
		head, cut := cutBytes(text, ib.limits.text)
		m.Cut = cut
		if len(head) > maxMarkdownBytes {
			m.Text = escapeInvisible(head)
		} else {
			m.HTML = ib.renderer.renderMarkdown(head, true, ib.openBudget)
		}
	case blk.Redacted:
		m.Short, m.Text = "not in the file", "The provider did not return the text of this thinking."
	default:
		return m, false
	}
	return m, true
}

// fileBlock returns the content of a file, highlighted by its name within the budget.
func (ib *itemBuilder) fileBlock(name, text string, r *highlightBudget) components.BlockModel {
	text = strings.TrimRight(text, "\n")
	head, left := cutLines(text, ib.limits.lines)
	head, cut := cutBytes(head, ib.limits.text)
	m := components.BlockModel{Kind: "file", Cut: cut || left > 0}
	if left > 0 {
		m.Left = "Show " + components.Pluralize(left, "more line", "more lines")
	}
	head = escapeInvisible(strings.ReplaceAll(head, "\r\n", "\n"))
	var ok bool
	if m.HTML, ok = ib.renderer.code.highlightCode(head, languageName(name), r); !ok {
		m.Text = head
	}
	return m
}

// jsonBlock returns recorded JSON, indented.
func (ib *itemBuilder) jsonBlock(raw []byte) components.BlockModel {
	text := indentJSON(raw, ib.limits.text)
	head, left := cutLines(text, ib.limits.lines)
	head, cut := cutBytes(head, ib.limits.text)
	m := components.BlockModel{Kind: "json", Text: escapeInvisible(head), Cut: cut || left > 0}
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
