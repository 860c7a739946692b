package path

import (
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// addAnswer adds an answer: its text and thinking, then its calls with their results in the
// tool group.
func (ib *itemBuilder) addAnswer(i int) {
	e, body := &ib.page.entries[i], &ib.bodies[i]
	m := &components.AnswerItem{EntryHead: ib.newHead(e), Foot: ib.answerFoot(e)}
	var tools []components.ToolModel
	call := 0
	for k := range body.Blocks {
		if k >= ib.blocks.limits.blocks {
			m.Blocks = append(m.Blocks, ib.blocks.remainderBlock(i, k))
			break
		}
		blk := &body.Blocks[k]
		if blk.Kind == session.BlockToolCall {
			tools = append(tools, ib.buildCallTool(i, call, blk))
			call++
			continue
		}
		if blk.ID != "" { // shown with its call
			continue
		}
		if bm, ok := ib.blocks.buildBlock(e, k, blk, ib.blocks.imagesBefore(body, k)); ok {
			m.Blocks = append(m.Blocks, bm)
		}
	}
	m.Error = failureText(e, m.Blocks)
	if (len(m.Blocks) > 0 || len(e.Calls()) == 0) && ib.continuesAnswer(i) {
		ib.extendAnswer(m)
	} else if len(m.Blocks) > 0 || m.Error != "" || m.Edited != "" || len(m.Pairs) > 0 || (len(tools) == 0 && len(e.Calls()) == 0) {
		if len(m.Blocks) == 0 && m.Error == "" && ib.page.audience.Snapshot == nil { // what a reader is not shown is not missed
			m.Blocks = []components.BlockModel{{Kind: "text", Text: emptyAnswerText(tools)}}
		}
		ib.addItem(m)
	} else if len(tools) > 0 {
		if tools[0].Cost = ib.callTitle(e); view.CallOutcome(&e.Entry, 0) != nil {
			tools[0].ID = view.DomID("e-", e.ID) // target of links to the entry
		}
	}
	if len(tools) > 0 {
		ib.addTools(i, tools)
		if e.index >= ib.page.path.lastMessage && hasMissingResult(tools) {
			ib.pendingFrom = ib.group.start
		}
		if e.label != "" {
			ib.labelToolGroup(e)
		}
	}
}

// continuesAnswer reports whether the i-th entry belongs to the same reply as the answer
// above and needs no item of its own.
func (ib *itemBuilder) continuesAnswer(i int) bool {
	e := &ib.page.entries[i]
	last := ib.lastAnswer()
	if !e.HasFlag(session.FlagContinuation) || last == nil || last.Entry != ib.previousID(i) {
		return false
	}
	return e.switcher == nil && e.ownThread == nil && e.label == "" && e.edit == nil && e.warning == "" &&
		last.Label == "" && last.Edited == "" && last.Error == "" && len(last.Pairs) == 0
}

// lastAnswer returns the last item if it is an answer, otherwise nil.
func (ib *itemBuilder) lastAnswer() *components.AnswerItem {
	if len(ib.items) == 0 {
		return nil
	}
	last, _ := ib.items[len(ib.items)-1].(*components.AnswerItem)
	return last
}

// extendAnswer adds an entry's blocks to the answer above. The item takes the id of this
// entry, so that its actions apply to the whole reply.
func (ib *itemBuilder) extendAnswer(m *components.AnswerItem) {
	last := ib.lastAnswer()
	if len(m.Blocks) > 0 && len(last.Blocks) == 1 && last.Blocks[0].Text == noContentText {
		last.Blocks = nil
	}
	last.Blocks = append(last.Blocks, m.Blocks...)
	last.Also = append(last.Also, last.Entry)
	last.Entry, last.Href, last.Raw, last.Error = m.Entry, m.Href, m.Raw, m.Error
	last.Target = last.Target || m.Target
	if last.Foot == nil {
		last.Foot = m.Foot
	}
}

// noContentText is the text of an answer without content.
const noContentText = "(no content)"

func hasMissingResult(tools []components.ToolModel) bool {
	return slices.ContainsFunc(tools, func(t components.ToolModel) bool { return t.Result == "" })
}

func emptyAnswerText(tools []components.ToolModel) string {
	if len(tools) > 0 {
		return "Tool calls"
	}
	return noContentText
}

// failureText returns why an answer failed, or "" if a block already shows it.
func failureText(e *pathEntry, blocks []components.BlockModel) string {
	if !e.HasFlag(session.FlagError) && e.StopReason() != "aborted" && e.StopReason() != "length" {
		return ""
	}
	for _, b := range blocks {
		if b.Kind == "error" {
			return ""
		}
	}
	switch {
	case e.ErrorText() != "":
		return view.OneLine(e.ErrorText())
	case e.StopReason() == "aborted":
		return "Aborted"
	case e.StopReason() == "length":
		return "Cut off: the answer reached its length limit"
	}
	return "Failed: " + strings.TrimSpace(view.OneLine(e.StopReason()))
}
