package pi

import (
	"bytes"

	"sessiontree/internal/session"
)

// body decodes a recorded line in full.
func body(text []byte) (session.Body, error) {
	return session.Body{Blocks: []session.Block{{Kind: session.BlockJSON, Text: string(bytes.ToValidUTF8(text, []byte("\uFFFD")))}}}, nil
}
