package cli

import (
	"encoding/json"
	"strconv"

	"github.com/spf13/cobra"

	"sessiontree/internal/cli/terminal"
	"sessiontree/internal/session"
	"sessiontree/internal/session/modelcontext"
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
	Tokens        tokensJSON    `json:"tokens"`
}

// tokensJSON is the size of a context. Parts sum to the total.
type tokensJSON struct {
	Total    int64      `json:"total"`
	Counted  bool       `json:"counted"`  // the agent recorded the total; else it is an estimate
	Recorded bool       `json:"recorded"` // the agent recorded the request
	Parts    []partJSON `json:"parts"`
}

type partJSON struct {
	Part   string `json:"part"`
	Tokens int64  `json:"tokens"`
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
	err := modelcontext.ReadMessages(cmd.Context(), s, c.Items, func(i int, m modelcontext.Message) {
		answer.Messages[i].Text = m.Text
		if s.Format().DecodeSent != nil {
			answer.Messages[i].Blocks = newBlocksJSON(m.Blocks)
		}
	})
	if err != nil {
		return err
	}
	size, err := modelcontext.ReadRequest(cmd.Context(), s, func(t *session.Tree) (modelcontext.Place, error) { return modelcontext.PlaceAtLeaf(t, leaf), nil })
	if err != nil {
		return err
	}
	answer.Tokens = newTokensJSON(size)
	answer.ThinkingLevel = c.Thinking
	if c.Model != "" || c.Provider != "" {
		answer.Model = &modelJSON{c.Provider, c.Model}
	}
	if p.json {
		return p.printJSON(answer)
	}
	return printContext(p, answer)
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

func newTokensJSON(r *modelcontext.Request) tokensJSON {
	out := tokensJSON{Total: r.Total, Counted: r.Counted, Recorded: r.Recorded, Parts: []partJSON{}}
	for part, n := range r.Parts {
		if n > 0 {
			out.Parts = append(out.Parts, partJSON{modelcontext.Part(part).Name(), n})
		}
	}
	return out
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
	out.WriteColored(terminal.Dim, tokensText(c.Tokens)+"\n")
	return out.Flush()
}

// tokensText returns the tokens of a context by part on one line.
func tokensText(t tokensJSON) string {
	text := "about " + strconv.FormatInt(t.Total, 10) + " tokens"
	if t.Counted {
		text = text[len("about "):]
	}
	for i, part := range t.Parts {
		text += map[bool]string{true: ": ", false: ", "}[i == 0] + part.Part + " " + strconv.FormatInt(part.Tokens, 10)
	}
	return text
}
