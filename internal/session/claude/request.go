package claude

import (
	"fmt"
	"slices"

	"sessiontree/internal/session"
)

// findRequest finds the recorded request of an answer. Claude Code records each message once: a
// request refers to an earlier request for its first messages and lists the hashes of the others.
func findRequest(t *session.Tree, answer session.Pos) (session.RequestReader, error) {
	id := t.At(answer).Extra.(*facts).request
	if t.At(answer).Kind != session.KindAssistant || id == "" {
		return nil, fmt.Errorf("%w: no request is recorded for entry %s", session.ErrNotFound, t.At(answer).ID)
	}
	x := newRequestIndex(t)
	if _, ok := x.requests[id]; !ok {
		return nil, fmt.Errorf("%w: the request of entry %s is recorded in none of the session's files", session.ErrNotFound, t.At(answer).ID)
	}
	from := x.messagesBefore(t, x.answers[id])
	return func(read session.LineReader) (*session.Request, error) {
		r := &requestResolver{index: x, read: read, known: map[string]*recordedRequest{}}
		return r.resolveRequest(id, from)
	}, nil
}

// requestIndex maps the ids and hashes of requests to their lines.
type requestIndex struct {
	requests       map[string]session.Pos
	blobs          map[string]session.Pos
	shapes         map[string]session.Pos
	answers        map[string][]answerLine // by the id of their request, in file order
	byMessageCount map[int][]string        // ids of requests by their number of messages
}

// answerLine is one block of an answer.
type answerLine struct {
	at session.Pos
	id string
}

func newRequestIndex(t *session.Tree) *requestIndex {
	x := &requestIndex{map[string]session.Pos{}, map[string]session.Pos{}, map[string]session.Pos{}, map[string][]answerLine{}, map[int][]string{}}
	for p := range session.Pos(t.Len()) {
		e := t.At(p)
		of := e.Extra.(*facts)
		switch {
		case of.request == "":
		case e.Kind == session.KindAssistant:
			x.answers[of.request] = append(x.answers[of.request], answerLine{p, e.ID})
		case e.Role == typeBlob:
			x.blobs[of.request] = p
		case e.Role == typeShape:
			x.shapes[of.request] = p
		case e.Role == typeRequest:
			x.requests[of.request] = p
			x.byMessageCount[of.messages] = append(x.byMessageCount[of.messages], of.request)
		}
	}
	order := contextBuilder{t: t}
	for _, lines := range x.answers {
		slices.SortFunc(lines, func(a, b answerLine) int { return order.compareRecorded(a.at, b.at) })
	}
	return x
}

// messageSource is a message of the context before an answer, and the ids of its entries.
type messageSource struct {
	role    string
	entries []string
}

// messagesBefore lists the messages of the context before an answer. Successive messages of one
// role are joined.
func (x *requestIndex) messagesBefore(t *session.Tree, answer []answerLine) (all []messageSource) {
	e := t.At(answer[0].at)
	if !e.HasFlag(session.FlagHasParent) {
		return nil
	}
	for _, item := range buildContext(t, t.FindID(e.Parent)).Items {
		if len(all) == 0 || all[len(all)-1].role != item.Role {
			all = append(all, messageSource{role: item.Role})
		}
		last := &all[len(all)-1]
		for _, p := range append([]session.Pos{item.Pos}, item.MergedEntries...) {
			last.entries = append(last.entries, t.At(p).ID)
		}
	}
	return all
}
