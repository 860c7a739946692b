package cli

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"sessiontree/internal/cli/terminal"
	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

func contextCommand(p *program) *cobra.Command {
	return leafCommand(p, "context", "Print the context that the model would get at a leaf", runContext)
}

// contextJSON is the output of context --json.
type contextJSON struct {
	Schema        int           `json:"schema"`
	Leaf          *string       `json:"leaf"`
	Messages      []messageJSON `json:"messages"`
	ThinkingLevel string        `json:"thinkingLevel"`
	Model         *modelJSON    `json:"model"`
}

type messageJSON struct {
	Role   string      `json:"role"`
	ID     string      `json:"id"`
	Text   string      `json:"text"`
	With   []string    `json:"with,omitempty"`   // ids of the other entries that are part of the message
	Blocks []blockJSON `json:"blocks,omitempty"` // for formats that define the blocks that are sent
}

// blockJSON is one block of a message as it is sent to the model.
type blockJSON struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	Name      string          `json:"name,omitempty"`
	ToolUseID string          `json:"toolUseId,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	IsError   bool            `json:"isError,omitempty"`
	Content   []blockJSON     `json:"content,omitempty"`
}

type modelJSON struct {
	Provider string `json:"provider"`
	ModelID  string `json:"modelId"`
}

func runContext(p *program, cmd *cobra.Command, s *store.Session, leaf session.Pos) error {
	var c session.Context
	answer := contextJSON{Schema: 1, Messages: []messageJSON{}}
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		c = t.Context(leaf)
		answer.Leaf = idOrNull(t, leaf)
		for _, item := range c.Items {
			m := messageJSON{Role: item.Role, ID: t.At(item.Pos).ID}
			for _, with := range item.MergedEntries {
				m.With = append(m.With, t.At(with).ID)
			}
			answer.Messages = append(answer.Messages, m)
		}
	})
	read := readBodyTexts
	if s.Format().DecodeSent != nil {
		read = readSentBlocks
	}
	if err := read(cmd.Context(), s, c.Items, answer.Messages); err != nil {
		return err
	}
	answer.ThinkingLevel = c.Thinking
	if c.Model != "" || c.Provider != "" {
		answer.Model = &modelJSON{c.Provider, c.Model}
	}
	if p.json {
		return p.printJSON(answer)
	}
	return printContext(p, answer)
}

// readBodyTexts fills in the text of messages for a format that sends entry bodies as
// they are.
func readBodyTexts(ctx context.Context, s *store.Session, items []session.ContextItem, messages []messageJSON) error {
	sources, shell := make([]session.Pos, len(items)), make([]bool, len(items))
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		for i, item := range items {
			sources[i], shell[i] = contentEntry(item), t.At(item.Pos).Kind == session.KindShell
		}
	})
	bodies, err := s.ReadBodies(ctx, sources)
	if err != nil {
		return err
	}
	for i := range bodies {
		messages[i].Text = messageText(bodies[i], items[i], shell[i])
	}
	return nil
}

// readSentBlocks fills in the blocks of messages for a format with a Sent function.
func readSentBlocks(ctx context.Context, s *store.Session, items []session.ContextItem, messages []messageJSON) error {
	var sources []session.Pos
	var of []int // the index of the message for each source
	for i, item := range items {
		for _, at := range append([]session.Pos{item.Pos}, item.MergedEntries...) {
			sources, of = append(sources, at), append(of, i)
		}
	}
	var lines [][]byte
	return s.ReadRawLines(ctx, sources, func(n int, line []byte) error {
		lines = append(lines, line)
		i := of[n]
		if n+1 < len(of) && of[n+1] == i {
			return nil
		}
		blocks, err := s.Format().DecodeSent(items[i], lines)
		messages[i].Text, messages[i].Blocks = joinSentText(blocks), newBlocksJSON(blocks)
		lines = lines[:0]
		return err
	})
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

func newBlocksJSON(blocks []session.SentBlock) []blockJSON {
	out := make([]blockJSON, len(blocks))
	for i, b := range blocks {
		out[i] = blockJSON{Type: b.Type, Text: b.Text, Name: b.Name, ToolUseID: b.CallID, Input: b.Input, IsError: b.Failed}
		if len(b.Content) > 0 {
			out[i].Content = newBlocksJSON(b.Content)
		}
	}
	return out
}

// contentEntry returns the entry that holds an item's content.
func contentEntry(item session.ContextItem) session.Pos {
	if item.Edit != session.NoPos {
		return item.Edit
	}
	return item.Pos
}

func printContext(p *program, c contextJSON) error {
	out := terminal.NewColorWriter(p.out)
	for _, m := range c.Messages {
		out.WriteColored(terminal.Bold, terminal.CleanLine(m.Role))
		out.WriteColored(terminal.Dim, " "+terminal.CleanLine(m.ID)+"\n")
		out.WriteIndented(m.Text)
	}
	model := "no model"
	if c.Model != nil {
		model = terminal.CleanLine(c.Model.Provider + "/" + c.Model.ModelID)
	}
	out.WriteColored(terminal.Dim, model+", thinking "+terminal.CleanLine(c.ThinkingLevel)+"\n")
	return out.Flush()
}
