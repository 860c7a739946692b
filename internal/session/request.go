package session

import "encoding/json"

// Request is the request that an answer is the response to, as the agent recorded it.
type Request struct {
	ID       string           `json:"id"`
	Source   string           `json:"source,omitempty"` // purpose of the request, in the agent's words
	Time     string           `json:"time,omitempty"`
	Params   json.RawMessage  `json:"params,omitempty"`
	System   json.RawMessage  `json:"system,omitempty"`
	Tools    json.RawMessage  `json:"tools,omitempty"`
	Messages []RequestMessage `json:"messages"`
}

// RequestMessage is one message of a Request.
type RequestMessage struct {
	Role    string          `json:"role"`
	Entries []string        `json:"entries,omitempty"` // ids of the source entries, if known
	Missing string          `json:"missing,omitempty"` // why there is no content, or ""
	Content json.RawMessage `json:"content,omitempty"`
}

// RequestReader reads the recorded lines of a Request. It does not need the tree that
// it was made from.
type RequestReader func(read LineReader) (*Request, error)
