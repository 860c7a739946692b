package session

import "encoding/json"

// Request is the very request that an answer was given to, as the agent recorded it.
type Request struct {
	ID       string           `json:"id"`
	Source   string           `json:"source,omitempty"` // what the agent asked for, in its own words
	Time     string           `json:"time,omitempty"`
	Params   json.RawMessage  `json:"params,omitempty"`
	System   json.RawMessage  `json:"system,omitempty"`
	Tools    json.RawMessage  `json:"tools,omitempty"`
	Messages []RequestMessage `json:"messages"`
}

// RequestMessage is one message of a Request.
type RequestMessage struct {
	Role    string          `json:"role"`
	Entries []string        `json:"entries,omitempty"` // ids of the entries it came from; none where that is not known
	Missing string          `json:"missing,omitempty"` // why there is no content; "" when there is
	Content json.RawMessage `json:"content,omitempty"`
}

// RequestReader reads what a Request needs of the recorded lines. It is made of a tree
// and does not need it any more.
type RequestReader func(read LineReader) (*Request, error)
