package wave

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// fillSingleBlock fills the entry of a message that holds only one type of block, if the block is
// metadata or unknown.
func (l *line) fillSingleBlock(e *session.Entry) {
	if len(l.blocks) == 0 || e.HasFlag(session.FlagText) || len(e.Calls()) > 0 || l.hasBlock("compact") || l.hasBlock("error") {
		return
	}
	typ := l.blocks[0].typ
	for i := range l.blocks {
		if l.blocks[i].typ.Text() != typ.Text() {
			return
		}
	}
	switch b := &l.blocks[0]; {
	case typ.Is("file_history"):
		e.Kind, e.Role, e.Name = session.KindEvent, "file_history", countSnapshots(l.blocks)
	case typ.Is("info"):
		e.Kind, e.Name, e.Preview = session.KindCustomMessage, "info", rowString(b.content, maxPreview)
	case typ.Is("task_notification"):
		e.Kind, e.Name, e.Preview = session.KindCustomMessage, "task", rowString(b.summary, maxPreview)
	case typ.Is("text"), typ.Is("image"), typ.Is("bang"), typ.Is("reasoning"), typ.Is("tool"):
	default:
		e.Kind, e.Role = session.KindUnknown, "unknown"
		if typ.IsString() {
			e.Role = shortName(typ)
		}
		e.Details.Stop = ""
	}
}

// countSnapshots returns the number of saved files as text.
func countSnapshots(blocks []block) string {
	n := 0
	for i := range blocks {
		n += len(jsonl.ArrayElements(blocks[i].snapshots))
	}
	if n == 1 {
		return "1 file"
	}
	return string(jsonl.AppendNumber(nil, float64(n))) + " files"
}
