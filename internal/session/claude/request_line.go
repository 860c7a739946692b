package claude

import "sessiontree/internal/session/jsonl"

// requestLine holds the used fields of lines that record requests, and of answer lines that name
// one.
type requestLine struct {
	ref, id, hash, shape, keep jsonl.Value
	tail                       int
}

const (
	typeRequest = "api-request"
	typeBlob    = "api-request-blob"
	typeShape   = "api-request-shape"
)

// readRequestRef reads the id or hash that names the line's request.
func (l *line) readRequestRef(x *facts) {
	switch {
	case l.typ.Is("assistant"):
		x.request = l.interner.Intern(l.request.ref)
	case l.typ.Is(typeRequest):
		keep, _ := l.request.keep.Number()
		x.request, x.contextFacts = l.request.id.Text(), &contextFacts{messages: l.request.tail + int(max(0, min(keep, 1<<30)))}
	case l.typ.Is(typeBlob):
		x.request = hashKey(l.request.hash.Text())
	case l.typ.Is(typeShape):
		x.request = hashKey(l.request.shape.Text())
	}
}

// hashKey returns the part of a hash that is used as a key: 64 bits suffice for the files of a
// session.
func hashKey(hash string) string { return hash[:min(16, len(hash))] }
