package claude

import (
	"fmt"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// recordedRequest is the parsed line of a request.
type recordedRequest struct {
	line jsonl.Object
	base string
	keep int
	tail []string // keys of hashes
}

// requestResolver resolves requests.
type requestResolver struct {
	index *requestIndex
	read  session.LineReader
	known map[string]*recordedRequest
}

func (r *requestResolver) resolveRequest(id string, from []messageSource) (*session.Request, error) {
	own, err := r.readRecorded(id)
	if err != nil {
		return nil, err
	}
	out := &session.Request{ID: id, Source: own.line.Text("querySource"), Time: own.line.Text("timestamp"), Params: own.line.Get("params").CloneRaw()}
	if at, ok := r.index.shapes[hashKey(own.line.Text("shapeHash"))]; ok {
		line, err := r.readObject(at)
		if err != nil {
			return nil, err
		}
		shape := jsonl.ObjectFields(line.Get("shape"))
		out.System, out.Tools = shape.Get("system").CloneRaw(), shape.Get("tools").CloneRaw()
	}
	hashes, err := r.messageHashes(id)
	if err != nil {
		return nil, err
	}
	for i := range hashes {
		m, err := r.resolveMessage(hashes[:i], hashes[i])
		if err != nil {
			return nil, err
		}
		out.Messages = append(out.Messages, m)
	}
	for i := range out.Messages {
		out.Messages[i].Blocks = parseSentContent(jsonl.Value{Raw: out.Messages[i].Content})
	}
	attributeMessages(out.Messages, from)
	return out, nil
}

// readObject reads and parses a line.
func (r *requestResolver) readObject(p session.Pos) (jsonl.Object, error) {
	line, err := r.read(p)
	if err != nil {
		return nil, err
	}
	v, err := jsonl.ParseObject(line)
	return jsonl.ObjectFields(v), err
}

// readRecorded returns the parsed line of a request and caches it.
func (r *requestResolver) readRecorded(id string) (*recordedRequest, error) {
	if known, ok := r.known[id]; ok {
		return known, nil
	}
	at, ok := r.index.requests[id]
	if !ok {
		return nil, fmt.Errorf("%w: request %s, which another request continues, is in none of the session's files", session.ErrNotFound, id)
	}
	o, err := r.readObject(at)
	if err != nil {
		return nil, err
	}
	known := &recordedRequest{line: o, base: o.Text("base"), keep: int(min(o.Count("keep"), 1<<30))}
	for _, hash := range jsonl.ArrayElements(o.Get("tail")) {
		known.tail = append(known.tail, hashKey(hash.Text()))
	}
	r.known[id] = known
	return known, nil
}

// messageHashes lists the hashes of a request's messages: those taken over from its base, then its
// own.
func (r *requestResolver) messageHashes(id string) ([]string, error) {
	var parts [][]string // in reverse order
	seen := map[string]bool{}
	for need := -1; need != 0; { // -1: all
		if seen[id] {
			return nil, fmt.Errorf("%w: request %s names itself as the request it continues", session.ErrInvalid, id)
		}
		seen[id] = true
		own, err := r.readRecorded(id)
		if err != nil {
			return nil, err
		}
		keep := own.keep
		if own.base == "" {
			keep = 0
		}
		if need < 0 || need > keep+len(own.tail) {
			need = keep + len(own.tail)
		}
		if need > keep {
			parts = append(parts, own.tail[:need-keep])
		}
		id, need = own.base, min(need, keep)
	}
	slices.Reverse(parts)
	return slices.Concat(parts...), nil
}

// resolveMessage returns one message: a recorded one, or the answer to the request whose messages
// are exactly those before it.
func (r *requestResolver) resolveMessage(before []string, hash string) (m session.RequestMessage, err error) {
	if at, ok := r.index.blobs[hash]; ok {
		o, err := r.readObject(at)
		if err != nil {
			return m, err
		}
		message := jsonl.ObjectFields(o.Get("message"))
		return session.RequestMessage{Role: message.Text("role"), Content: message.Get("content").CloneRaw()}, nil
	}
	m.Role = "assistant"
	for _, id := range r.index.byMessageCount[len(before)] {
		hashes, err := r.messageHashes(id)
		if err != nil || len(r.index.answers[id]) == 0 || !slices.Equal(hashes, before) {
			continue
		}
		for _, line := range r.index.answers[id] {
			m.Entries = append(m.Entries, line.id)
		}
		m.Content, err = r.joinAnswerBlocks(r.index.answers[id])
		return m, err
	}
	m.Missing = "The files of the session do not hold this message."
	return m, nil
}

// joinAnswerBlocks joins the blocks of an answer.
func (r *requestResolver) joinAnswerBlocks(lines []answerLine) ([]byte, error) {
	content := []byte{'['}
	for _, line := range lines {
		o, err := r.readObject(line.at)
		if err != nil {
			return nil, err
		}
		for _, block := range jsonl.ArrayElements(jsonl.ObjectFields(o.Get("message")).Get("content")) {
			if len(content) > 1 {
				content = append(content, ',')
			}
			content = append(content, block.Raw...)
		}
	}
	return append(content, ']'), nil
}

// attributeMessages sets the entries of the messages if the context before the answer has the same
// messages. Empty messages are settings and have no entries.
func attributeMessages(messages []session.RequestMessage, from []messageSource) {
	var at []int
	for i := range messages {
		if string(messages[i].Content) != "[]" {
			at = append(at, i)
		}
	}
	if len(at) != len(from) {
		return
	}
	for k, i := range at {
		if messages[i].Role != from[k].role {
			return
		}
	}
	for k, i := range at {
		messages[i].Entries = from[k].entries
	}
}
