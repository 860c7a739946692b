package path

import (
	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// maxToolGroup limits the entries of a tool group, because a growing page requests its last
// group again.
const maxToolGroup = 25

// openGroup is the tool group that is still open.
type openGroup struct {
	*components.ToolGroup
	at    int // index in items
	start int // index of its first entry
	size  int // entries; 0 = no open group
}

// addTools adds tools to the open group, or opens one.
func (ib *itemBuilder) addTools(i int, tools []components.ToolModel) {
	e := &ib.page.entries[i]
	if ib.group.size == 0 || ib.group.size >= maxToolGroup {
		ib.group = openGroup{ToolGroup: ib.newToolGroup(e), at: len(ib.items), start: i}
		ib.items = append(ib.items, ib.group.ToolGroup)
	}
	ib.group.Tools = append(ib.group.Tools, tools...)
	ib.group.size++
	ib.markTargetGroup(e)
}

// isToolRecord reports whether the i-th entry records of a tool of the open group what the tool
// shows.
func (ib *itemBuilder) isToolRecord(i int) bool {
	e := &ib.page.entries[i]
	return e.Kind == session.KindCustom && e.HasFlag(session.FlagHidden) && ib.group.size > 0 && !ib.isViewed(e) && e.isPlain()
}

// newToolGroup returns a group that begins with an entry.
func (ib *itemBuilder) newToolGroup(e *pathEntry) *components.ToolGroup {
	return &components.ToolGroup{ItemHead: components.ItemHead{ID: view.DomID("t-", e.ID), Entry: e.ID, Target: ib.isViewed(e)}}
}

// markTargetGroup marks the open group if it contains the viewed entry.
func (ib *itemBuilder) markTargetGroup(e *pathEntry) {
	ib.group.Target = ib.group.Target || ib.isViewed(e)
}

// labelToolGroup shows the label of an answer that consists of calls only.
func (ib *itemBuilder) labelToolGroup(e *pathEntry) {
	if n := len(ib.items); n > 1 {
		if answer, ok := ib.items[n-2].(*components.AnswerItem); ok && answer.Entry == e.ID {
			return
		}
	}
	for k := range ib.group.Tools {
		if t := &ib.group.Tools[k]; t.Entry == e.ID && t.Label == "" {
			t.Label = e.label
			return
		}
	}
}

// buildCallTool returns a tool call of an answer with its result, if any.
func (ib *itemBuilder) buildCallTool(i, n int, blk *session.Block) components.ToolModel {
	id := blk.ID
	for _, k := range ib.results[id] {
		if k > i && !ib.shownResults[k] {
			ib.shownResults[k] = true
			return ib.tools.buildTool(&callPlace{i, n, blk}, k)
		}
	}
	return ib.tools.buildTool(&callPlace{i, n, blk}, -1)
}
