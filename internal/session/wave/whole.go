package wave

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// sniffWhole reports whether a file that begins with head is one JSON value that
// holds a session: an id and a version, then its messages.
func sniffWhole(head []byte) bool {
	c := jsonl.Open(head)
	id, version := false, false
	for ok := c.Enter(); ok; ok = c.More() {
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

// split finds the messages of a file that is one JSON value.
func split(file []byte) (*session.Header, []session.Span, error) {
	c := jsonl.Open(file)
	head := &session.Header{Version: textVersion, Time: session.NoTime}
	var records []session.Span
	for ok := c.Enter(); ok; ok = c.More() {
		switch string(c.Key()) {
		case "id":
			head.ID = c.Value().Text()
		case "metadata":
			o := jsonl.Fields(c.Value())
			head.Cwd, head.Time = o.Text("workdir"), when(o.Get("startedAt"))
		case "messages":
			records = records[:0]
			for ok := c.Elements(); ok; ok = c.More() {
				v := c.Value()
				records = append(records, session.Span{Len: int32(len(v.Raw)), Off: offset(file, v.Raw), Line: int32(len(records) + 1)})
			}
		default:
			c.Skip()
		}
	}
	return head, records, c.End()
}

// offset is where part, which is a piece of file, stands in it.
func offset(file, part []byte) int64 { return int64(cap(file) - cap(part)) }
