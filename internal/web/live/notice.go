package live

import (
	"encoding/json"

	"github.com/gorilla/websocket"

	"sessiontree/internal/session/follow"
)

// kindNames are the names of the kinds of changes in notices.
var kindNames = [...]string{follow.Appended: "append", follow.Labeled: "label", follow.Rewritten: "rewrite", follow.Removed: "remove"}

// notice tells a browser about an event.
type notice struct {
	follow.Event

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
	e := newer.Event
	e.Kind = max(n.Kind, newer.Kind)
	if n.Kind == follow.Removed && newer.Kind != follow.Removed {
		e.Kind = follow.Rewritten
	}
	e.Entries += n.Entries
	return notice{Event: e}
}

func (n notice) encodeNotice() ([]byte, error) {
	return json.Marshal(noticeJSON{n.Topic, n.Rev.String(), kindNames[n.Kind], n.Leaf, n.Entries})
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
