package web

import (
	"encoding/json"

	"github.com/gorilla/websocket"

	"sessiontree/internal/session/store"
)

// noticeKind is what a browser has to do about a notice. The order matters: merging keeps
// the greater kind.
type noticeKind uint8

const (
	kindAppend noticeKind = iota
	kindLabel
	kindRewrite
	kindRemove
)

var noticeKindNames = [...]string{"append", "label", "rewrite", "remove"}

func (k noticeKind) String() string { return noticeKindNames[k] }

// notice reports the state of a topic after a change. A browser that shows Rev needs no
// earlier notice.
type notice struct {
	Topic   string
	Rev     store.Revision
	Kind    noticeKind
	Leaf    string
	Entries int

	// frame is the encoded notice, shared by all recipients; nil after a merge.
	frame *websocket.PreparedMessage
}

type noticeJSON struct {
	Topic   string `json:"topic"`
	Rev     string `json:"rev"`
	Kind    string `json:"kind"`
	Leaf    string `json:"leaf,omitempty"`
	Entries int    `json:"entries"`
}

// mergeNewer merges a newer notice into one that was not sent yet. A rewrite outlives what
// follows it, and entries add up. After a removal the newer notice decides, and a session
// that appears again has to be read again.
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

// prepareFrame encodes the notice once for all sockets.
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
