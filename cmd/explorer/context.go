package main

import (
	"github.com/spf13/cobra"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

func contextCommand(p *program) *cobra.Command {
	return p.leafCommand("context", "Print what the model would be sent at a leaf", p.context)
}

// contextJSON is what context --json prints.
type contextJSON struct {
	Schema        int           `json:"schema"`
	Leaf          *string       `json:"leaf"`
	Messages      []messageJSON `json:"messages"`
	ThinkingLevel string        `json:"thinkingLevel"`
	Model         *modelJSON    `json:"model"`
}

type messageJSON struct {
	Role string `json:"role"`
	ID   string `json:"id"`
	Text string `json:"text"`
}

type modelJSON struct {
	Provider string `json:"provider"`
	ModelID  string `json:"modelId"`
}

func (p *program) context(cmd *cobra.Command, s *store.Session, leaf session.Pos) error {
	var c session.Context
	answer := contextJSON{Schema: 1, Messages: []messageJSON{}}
	sources, shell := []session.Pos{}, []bool{}
	s.Read(func(t *session.Tree, _ store.Rev) {
		c = t.Context(leaf)
		answer.Leaf = idOrNull(t, leaf)
		for _, item := range c.Items {
			answer.Messages = append(answer.Messages, messageJSON{Role: item.Role, ID: t.At(item.Pos).ID})
			sources = append(sources, source(item))
			shell = append(shell, t.At(item.Pos).Kind == session.KindShell)
		}
	})
	bodies, err := s.Bodies(cmd.Context(), sources)
	if err != nil {
		return err
	}
	for i := range bodies {
		answer.Messages[i].Text = messageText(bodies[i], c.Items[i], shell[i])
	}
	answer.ThinkingLevel = c.Thinking
	if c.Model != "" || c.Provider != "" {
		answer.Model = &modelJSON{c.Provider, c.Model}
	}
	if p.json {
		return p.printJSON(answer)
	}
	return p.printContext(answer)
}

// source is the entry that holds an item's content.
func source(item session.ContextItem) session.Pos {
	if item.Edit != session.NoPos {
		return item.Edit
	}
	return item.Pos
}

func (p *program) printContext(c contextJSON) error {
	out := newPen(p.out)
	for _, m := range c.Messages {
		out.put(bold, clean(m.Role))
		out.put(dim, " "+m.ID+"\n")
		writeText(out, m.Text)
	}
	model := "no model"
	if c.Model != nil {
		model = clean(c.Model.Provider + "/" + c.Model.ModelID)
	}
	out.put(dim, model+", thinking "+clean(c.ThinkingLevel)+"\n")
	return out.Flush()
}
