package view

import (
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// answer adds an answer: its text and thinking, then its calls with their results
// in the group of tools.
func (ib *itemBuilder) answer(i int) {
	e, body := &ib.pg.entries[i], &ib.bodies[i]
	m := ib.item(e, "asst")
	var tools []components.ToolModel
	call := 0
	for k := range body.Blocks {
		if k >= ib.limits.blocks {
			m.Blocks = append(m.Blocks, ib.rest(i, k))
			break
		}
		blk := &body.Blocks[k]
		if blk.Kind == session.BlockToolCall {
			tools = append(tools, ib.callModel(i, call, blk))
			call++
			continue
		}
		if blk.ID != "" { // shown with its call
			continue
		}
		if bm, ok := ib.block(e, k, blk, ib.imagesBefore(body, k)); ok {
			m.Blocks = append(m.Blocks, bm)
		}
	}
	m.Error = failure(e, &m)
	if (len(m.Blocks) > 0 || len(e.Calls) == 0) && ib.goesOn(i) {
		ib.goOn(e, m)
	} else if len(m.Blocks) > 0 || m.Error != "" || m.Edited != "" || len(m.Pairs) > 0 || (len(tools) == 0 && len(e.Calls) == 0) {
		if len(m.Blocks) == 0 && m.Error == "" && ib.pg.stand.Reader == nil { // what a reader is not shown is not missed
			m.Blocks = []components.BlockModel{{Kind: "text", Text: emptyAnswer(tools)}}
		}
		ib.add(m)
	} else if len(tools) > 0 && outcomeOf(&e.Entry, 0) != nil {
		tools[0].ID = domID("e-", e.ID) // where links to the entry lead
	}
	if len(tools) > 0 {
		ib.addTools(i, tools)
		if e.index >= ib.pg.path.talkEnd && lacksResult(tools) {
			ib.pending = ib.group.start
		}
		if e.label != "" {
			ib.labelTools(e)
		}
	}
}

// goesOn reports whether the i-th entry is of the same reply as the answer right
// above, and has nothing to show for which an item of its own would be needed.
func (ib *itemBuilder) goesOn(i int) bool {
	e := &ib.pg.entries[i]
	n := len(ib.out)
	switch {
	case !e.Has(session.FlagPart) || n == 0 || ib.out[n-1].Kind != "asst" || ib.out[n-1].Entry != ib.before(i):
		return false
	}
	last := &ib.out[n-1]
	return e.branch == nil && e.begins == nil && e.label == "" && e.edit == nil && e.warn == "" &&
		last.Label == "" && last.Edited == "" && last.Error == "" && len(last.Pairs) == 0
}

// goOn adds what an entry says to the answer above. The answer is then called by
// this entry: what is done with it is done with all of it.
func (ib *itemBuilder) goOn(e *pathEntry, m components.ItemModel) {
	last := &ib.out[len(ib.out)-1]
	if len(m.Blocks) > 0 && len(last.Blocks) == 1 && last.Blocks[0].Text == wordless {
		last.Blocks = nil
	}
	last.Blocks = append(last.Blocks, m.Blocks...)
	last.Also = append(last.Also, components.NotePart{Entry: last.Entry})
	last.Entry, last.Href, last.Raw, last.Error = m.Entry, m.Href, m.Raw, m.Error
	last.Target = last.Target || m.Target
}

// wordless stands for an answer that holds nothing to show.
const wordless = "(no content)"

func lacksResult(tools []components.ToolModel) bool {
	return slices.ContainsFunc(tools, func(t components.ToolModel) bool { return t.Result == "" })
}

func emptyAnswer(tools []components.ToolModel) string {
	if len(tools) > 0 {
		return "Tool calls"
	}
	return wordless
}

// labelTools shows the label of an answer that is nothing but calls.
func (ib *itemBuilder) labelTools(e *pathEntry) {
	if n := len(ib.out); n > 1 && ib.out[n-2].Entry == e.ID && ib.out[n-2].Kind == "asst" {
		return
	}
	g := &ib.out[ib.group.item]
	for k := range g.Tools {
		if t := &g.Tools[k]; t.Entry == e.ID && t.Label == "" {
			t.Label = e.label
			return
		}
	}
}

// failure says why an answer failed. Its message may be a block already.
func failure(e *pathEntry, m *components.ItemModel) string {
	if !e.Has(session.FlagError) && e.Stop != "aborted" && e.Stop != "length" {
		return ""
	}
	for _, b := range m.Blocks {
		if b.Kind == "error" {
			return ""
		}
	}
	switch {
	case e.Error != "":
		return oneLine(e.Error)
	case e.Stop == "aborted":
		return "Aborted"
	case e.Stop == "length":
		return "Cut off: the answer reached its length limit"
	}
	return "Failed: " + strings.TrimSpace(oneLine(e.Stop))
}

// callModel is a tool call of an answer with its result, if there is one.
func (ib *itemBuilder) callModel(i, n int, blk *session.Block) components.ToolModel {
	id := blk.ID
	for _, k := range ib.results[id] {
		if k > i && !ib.merged[k] {
			ib.merged[k] = true
			return ib.tool(&callAt{i, n, blk}, k)
		}
	}
	return ib.tool(&callAt{i, n, blk}, -1)
}
