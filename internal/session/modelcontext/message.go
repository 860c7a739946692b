package modelcontext

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// Message is the content of one message of a context.
type Message struct {
	Text   string
	Blocks []session.SentBlock // for formats that define the blocks that are sent
	Tokens Tokens              // estimated
	part   Part                // of the text
}

// ReadMessages calls fn with the content of each message of a context, in order.
func ReadMessages(ctx context.Context, s *store.Session, items []session.ContextItem, fn func(i int, m Message)) error {
	read := readBodyMessages
	if s.Format().DecodeSent != nil {
		read = readSentMessages
	}
	return read(ctx, s, items, fn)
}

// readBodyMessages reads messages of a format that sends entry bodies as they are.
func readBodyMessages(ctx context.Context, s *store.Session, items []session.ContextItem, fn func(i int, m Message)) error {
	sources, kinds := make([]session.Pos, len(items)), entryKinds(s, items)
	for i, item := range items {
		sources[i] = contentEntry(item)
	}
	return s.ReadRawLines(ctx, sources, func(i int, line []byte) error {
		body, err := s.Format().DecodeBody(line)
		if err != nil {
			return err
		}
		m := Message{Text: messageText(body, items[i], kinds[i] == session.KindShell), part: partOf(items[i], kinds[i])}
		m.Tokens[m.part] = estimateText(len(m.Text)) + estimateUntexted(body.Blocks, items[i])
		m.Tokens[Images] = int64(countImages(body.Blocks, items[i])) * imageTokens
		fn(i, m)
		return nil
	})
}

// readSentMessages reads messages of a format that defines the blocks that are sent.
func readSentMessages(ctx context.Context, s *store.Session, items []session.ContextItem, fn func(i int, m Message)) error {
	var sources []session.Pos
	var of []int // the index of the message for each source
	for i, item := range items {
		for _, at := range append([]session.Pos{item.Pos}, item.MergedEntries...) {
			sources, of = append(sources, at), append(of, i)
		}
	}
	kinds := entryKinds(s, items)
	var lines [][]byte
	return s.ReadRawLines(ctx, sources, func(n int, line []byte) error {
		lines = append(lines, line)
		i := of[n]
		if n+1 < len(of) && of[n+1] == i {
			return nil
		}
		blocks, err := s.Format().DecodeSent(items[i], lines)
		lines = lines[:0]
		if err == nil {
			part := partOf(items[i], kinds[i])
			fn(i, Message{Text: joinSentText(blocks), Blocks: blocks, Tokens: estimateBlocks(blocks, part), part: part})
		}
		return err
	})
}

// entryKinds returns the kinds of the entries of messages. The first message is that of a
// compaction if it follows one whose own entry is not sent.
func entryKinds(s *store.Session, items []session.ContextItem) []session.Kind {
	kinds := make([]session.Kind, len(items))
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		for i, item := range items {
			if int(item.Pos) >= t.Len() { // the session was reloaded, and reading fails
				return
			}
			kinds[i] = t.At(item.Pos).Kind
			if i == 0 && isSummary(t, item.Pos) {
				kinds[i] = session.KindCompaction
			}
		}
	})
	return kinds
}

// contentEntry returns the entry that holds an item's content.
func contentEntry(item session.ContextItem) session.Pos {
	if item.Edit != session.NoPos {
		return item.Edit
	}
	return item.Pos
}

// joinSentText returns the text and the tool results of a message, one block per line.
func joinSentText(blocks []session.SentBlock) string {
	var all []string
	for _, b := range blocks {
		if b.Text != "" && (b.Type == session.SentText || b.Type == session.SentToolResult) {
			all = append(all, b.Text)
		}
	}
	return strings.Join(all, "\n")
}

// messageText returns the text of a context message. Blocks with a heading are not part
// of it unless they are sent to the model.
func messageText(b session.Body, item session.ContextItem, shell bool) string {
	var own []string
	for _, block := range messageBlocks(b.Blocks, item) {
		switch {
		case block.Sent != nil:
			own = append(own, *block.Sent)
		case shell && block.Kind == session.BlockToolCall:
			return soleArgument(block.Args)
		case block.Name != "":
		case block.Kind == session.BlockText || block.Kind == session.BlockOutput && !shell:
			own = append(own, block.Text)
		}
	}
	switch { // a compaction's body is its summary, then its system message
	case item.SystemMessage:
		own = own[min(1, len(own)):]
	case item.Role == "compactionSummary":
		own = own[:min(1, len(own))]
	}
	return strings.Join(slices.DeleteFunc(own, func(text string) bool { return text == "" }), b.Separator)
}

// messageBlocks returns the blocks of an entry that belong to a context message. Results
// belong to the last call before them.
func messageBlocks(blocks []session.Block, item session.ContextItem) (part []session.Block) {
	call := -1
	for _, block := range blocks {
		if block.Kind == session.BlockToolCall {
			call++
		}
		result := block.Kind == session.BlockOutput && block.ID != ""
		switch item.Part {
		case session.PartMessage:
			if !result || item.Role != "assistant" {
				part = append(part, block)
			}
		case session.PartResult:
			if result && call == item.Call {
				part = append(part, block)
			}
		}
	}
	return part
}

// soleArgument returns the only argument of a command that the user ran.
func soleArgument(args json.RawMessage) string {
	var named map[string]any
	if json.Unmarshal(args, &named) != nil {
		return ""
	}
	for _, v := range named {
		if text, ok := v.(string); ok {
			return text
		}
	}
	return ""
}
