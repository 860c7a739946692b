package wave

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// alone makes the entries of messages that hold nothing but one of the blocks by
// which Wave keeps books, or that nobody knows.
func (l *line) alone(e *session.Entry) {
	if len(l.blocks) == 0 || e.Has(session.FlagText) || len(e.Calls) > 0 || l.has("compact") || l.has("error") {
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
		e.Kind, e.Role, e.Name = session.KindEvent, "file_history", snapshots(l.blocks)
	case typ.Is("info"):
		e.Kind, e.Name, e.Preview = session.KindCustomMessage, "info", short(b.content, maxPreview)
	case typ.Is("task_notification"):
		e.Kind, e.Name, e.Preview = session.KindCustomMessage, "task", short(b.summary, maxPreview)
	case typ.Is("text"), typ.Is("image"), typ.Is("bang"), typ.Is("reasoning"), typ.Is("tool"):
	default:
		e.Kind, e.Role = session.KindUnknown, "unknown"
		if typ.IsString() {
			e.Role = word(typ)
		}
		e.Stop = ""
	}
}

// snapshots words how many files were kept before they were changed.
func snapshots(blocks []block) string {
	n := 0
	for i := range blocks {
		n += len(jsonl.Elements(blocks[i].snapshots))
	}
	if n == 1 {
		return "1 file"
	}
	return string(jsonl.AppendNumber(nil, float64(n))) + " files"
}
