package view

import (
	"net/url"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// Branching is what a dialog about a branch tells and asks.
type Branching struct {
	Action string // "branch", "pop"
	Title  string
	Entry  string // "" = before the first entry
	// What it leads to. An absent id is the place before the first entry.
	Ancestor, NewLeaf *string
	Abandoned         int
	Noop              bool
	Prefill           string
	Resume            string
	Live              string // what to say of an agent that may be running
	Refused           string
	Lines             []session.Line
	// What was typed.
	Choice, Text, Instructions, Label string
	Replace                           bool
	NoGenerate                        string // why no summary can be generated
}

// Branch is the dialog that moves the leaf.
func (b *Builder) Branch(c Change, br Branching) components.Dialog {
	m := b.dialog(c, br.Action, br.Title, br.Entry, c.Can.Branch)
	if br.Entry == "" {
		m.Hidden = append(m.Hidden, components.Pair{Name: "entry", Value: noLeaf})
	}
	m.Hidden = append(m.Hidden, c.seenLeaf())
	m.Submit = "Branch here"
	if br.Noop {
		m.Reason = orWord(m.Reason, "The agent stands here already. There is nothing to branch from: write the next prompt.")
		if m.Other == nil {
			m.Other = c.beforeAll(br)
		}
		return m
	}
	if m.Reason = orWord(m.Reason, br.Refused); m.Reason != "" {
		return c.otherwise(m, br.Entry)
	}
	m.Other = c.beforeAll(br)
	m.Say = append(m.Say, c.goesOn(br)+" "+c.leaves(br))
	if br.Live != "" {
		m.Say = append(m.Say, br.Live)
	}
	m.Prompt = prompt(br.Prefill, "The prompt, to send again or change", br.Resume)
	m.Summary = summaryModel(br)
	m.Label = &components.LabelField{Value: br.Label, Placeholder: "What this branch tries", Existing: labelTexts(c.Tree, "")}
	if br.Entry == "" && br.Choice != "write" && br.Choice != "generate" {
		m.Label = nil // there is nothing to label
	}
	m.Lines = c.lines(br.Action, br.Lines)
	return m
}

// otherwise leads from a branch that cannot be made to what can be done instead.
func (c Change) otherwise(m components.Dialog, entry string) components.Dialog {
	if m.Other == nil && entry != "" && c.Can.Fork.Can() {
		m.Other = &components.Link{Text: "Branch to a new file", Href: c.post("fork") + "?entry=" + url.QueryEscape(entry)}
	}
	return m
}

// prompt offers a text to begin with and the way back to the agent.
func prompt(text, note, resume string) *components.Prompt {
	if text == "" && resume == "" {
		return nil
	}
	return &components.Prompt{Text: text, Note: note, Resume: visible(resume)}
}

// goesOn says where the agent continues.
func (c Change) goesOn(br Branching) string {
	p := c.Tree.Find(br.Entry)
	switch {
	case p == session.NoPos:
		return "The agent continues from before the first entry, with an empty conversation."
	case br.NewLeaf == nil:
		return "The agent continues from just before this prompt, with an empty conversation."
	case *br.NewLeaf != br.Entry:
		return "The agent continues from just before this prompt."
	case c.Tree.At(p).Kind == session.KindAssistant:
		return "The agent continues from this answer."
	}
	return "The agent continues from this entry."
}

// leaves says what is left behind.
func (c Change) leaves(br Branching) string {
	entries := plural(br.Abandoned, "entry", "entries")
	switch {
	case br.Abandoned == 0:
		return "Nothing is left behind."
	case br.Entry == "":
		return "The " + entries + " " + stay(br.Abandoned) + "."
	case br.Ancestor == nil && br.NewLeaf != nil:
		return "The " + entries + " of the other branch " + stay(br.Abandoned) + "; the two share no entry."
	case br.Ancestor == nil || *br.Ancestor == br.Entry:
		return "The " + entries + " after it " + stay(br.Abandoned) + "."
	}
	at := said(c.Tree, c.Tree.Find(*br.Ancestor))
	if at == session.NoPos {
		return "The " + entries + " of the branch you leave " + stay(br.Abandoned) + "."
	}
	return "The " + entries + " of the branch you leave " + stay(br.Abandoned) + "; both branches part after “" + inWords(c.Tree, at, 60) + "”."
}

func stay(n int) string {
	if n == 1 {
		return "stays in the tree"
	}
	return "stay in the tree"
}

func summaryModel(br Branching) *components.SummaryModel {
	m := &components.SummaryModel{
		Choice: orWord(br.Choice, "none"), Text: br.Text, Instructions: br.Instructions, Replace: br.Replace,
		Left: "the " + plural(br.Abandoned, "entry", "entries") + " you leave", NoGenerate: br.NoGenerate,
	}
	if br.Abandoned == 0 {
		m.NoWrite = "No branch is left behind."
		m.NoGenerate = m.NoWrite
	}
	if m.Choice == "write" && m.NoWrite != "" || m.Choice == "generate" && m.NoGenerate != "" {
		m.Choice = "none"
	}
	return m
}

// beforeAll offers to begin anew where the dialog is about the beginning: a root,
// or what only settings stand before. A prompt that is a root begins anew already.
func (c Change) beforeAll(br Branching) *components.Link {
	p := c.Tree.Find(br.Entry)
	if p == session.NoPos || br.NewLeaf == nil {
		return nil
	}
	for at := c.Tree.Parent(p); at != session.NoPos; at = c.Tree.Parent(at) {
		if k := c.Tree.At(at).Kind; !k.Bookkeeping() && k != session.KindSystem {
			return nil
		}
	}
	return &components.Link{Text: "Branch before the first entry instead", Href: c.post("branch") + "?entry=" + noLeaf}
}
