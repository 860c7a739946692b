package web

import (
	"encoding/json"

	"github.com/gorilla/websocket"

	"sessiontree/internal/session/store"
)

// noticeKind says what a browser has to do about a notice. The order matters:
// of two that wait together the stronger one is told.
type noticeKind uint8

const (
	kindAppend noticeKind = iota
	kindLabel
	kindRewrite
	kindRemove
)

var noticeKindNames = [...]string{"append", "label", "rewrite", "remove"}

func (k noticeKind) String() string { return noticeKindNames[k] }

// notice tells that a topic changed. It names a state, not an event: whoever has
// seen Rev needs none of the notices before it.
type notice struct {
	Topic   string
	Rev     store.Revision
	Kind    noticeKind
	Leaf    string
	Entries int

	// frame is the notice encoded once for everyone it goes to; nil after a merge.
	frame *websocket.PreparedMessage
}

type noticeJSON struct {
	Topic   string `json:"topic"`
	Rev     string `json:"rev"`
	Kind    string `json:"kind"`
	Leaf    string `json:"leaf,omitempty"`
	Entries int    `json:"entries"`
}

// mergeNewer puts a newer notice on one that was not sent yet. A rewrite is never lost
// behind what follows it, and entries add up. Removal is a state of its own: the
// newer notice decides, and what comes back after it has to be read anew.
func (n notice) mergeNewer(newer notice) notice {
	kind := max(n.Kind, newer.Kind)
	if n.Kind == kindRemove && newer.Kind != kindRemove {
		kind = kindRewrite
	}
	return notice{
		Topic:   n.Topic,
		Rev:     newer.Rev,
		Kind:    kind,
		Leaf:    newer.Leaf,
		Entries: n.Entries + newer.Entries,
	}
}

func (n notice) encodeNotice() ([]byte, error) {
	return json.Marshal(noticeJSON{n.Topic, n.Rev.String(), n.Kind.String(), n.Leaf, n.Entries})
}

// prepareFrame encodes the notice for sending; done once, it serves every socket.
func (n *notice) prepareFrame() error {
	if n.frame != nil {
		return nil
	}
	data, err := n.encodeNotice()
	if err != nil {
		return err
	}
	n.frame, err = websocket.NewPreparedMessage(websocket.TextMessage, data)
	return err
}
