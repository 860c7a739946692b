package wave

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// sniffJSONFile reports whether a file that begins with head is one JSON value that holds a
// session: an id and a version, followed by messages.
func sniffJSONFile(head []byte) bool {
	c := jsonl.NewCursor(head)
	id, version := false, false
	for ok := c.EnterObject(); ok; ok = c.More() {
		switch string(c.Key()) {
		case "id":
			id = c.Value().IsString()
		case "version":
			version = c.Value().IsString()
		case "messages":
			if c.Kind() == '[' {
				return id && version
			}
			return false
		default:
			c.Skip()
		}
	}
	return false
}

// splitJSONFile finds the messages in a file that is one JSON value.
func splitJSONFile(file []byte) (*session.Header, []session.Span, error) {
	c := jsonl.NewCursor(file)
	head := &session.Header{Version: textVersion, Time: session.NoTime}
	var records []session.Span
	for ok := c.EnterObject(); ok; ok = c.More() {
		switch string(c.Key()) {
		case "id":
			head.ID = c.Value().Text()
		case "metadata":
			o := jsonl.ObjectFields(c.Value())
			head.Cwd, head.Time = o.Text("workdir"), parseTime(o.Get("startedAt"))
		case "messages":
			records = records[:0]
			for ok := c.EnterArray(); ok; ok = c.More() {
				v := c.Value()
				records = append(records, session.Span{Len: int32(len(v.Raw)), Off: offsetIn(file, v.Raw), Line: int32(len(records) + 1)})
			}
		default:
			c.Skip()
		}
	}
	return head, records, c.End()
}

// offsetIn returns the offset in file of part, which must be a subslice of it.
func offsetIn(file, part []byte) int64 { return int64(cap(file) - cap(part)) }
