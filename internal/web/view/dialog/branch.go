package dialog

import (
	"cmp"
	"net/url"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// BranchForm is the state of a dialog about a branch.
type BranchForm struct {
	Action string // "branch", "pop"
	Title  string
	Entry  string // "" = before the first entry
	// The result of the branch. A nil id is the place before the first entry.
	Ancestor, NewLeaf *string
	Abandoned         int
	Noop              bool
	Prefill           string
	Resume            string
	Live              string // warning about an agent that may be running
	Refused           string
	Lines             []session.Line
	// The submitted fields.
	Choice, Text, Instructions, Label string
	Replace                           bool
	NoGenerate                        string // why no summary can be generated
}

// BranchDialog returns the dialog that moves the leaf.
func (c ChangeView) BranchDialog(br BranchForm) components.Dialog {
	m := c.newDialog(br.Action, br.Title, br.Entry, c.Can.Branch)
	if br.Entry == "" {
		m.Hidden = append(m.Hidden, components.Pair{Name: "entry", Value: view.BeforeFirstEntry})
	}
	m.Hidden = append(m.Hidden, c.seenLeafField())
	m.Submit = "Branch here"
	if br.Noop {
		m.Reason = cmp.Or(m.Reason, "The agent is already here. There is nothing to branch from: write the next prompt.")
		if m.Alternative == nil {
			m.Alternative = c.branchBeforeFirstLink(br)
		}
		return m
	}
	if m.Reason = cmp.Or(m.Reason, br.Refused); m.Reason != "" {
		return c.offerFork(m, br.Entry)
	}
	m.Alternative = c.branchBeforeFirstLink(br)
	m.Effects = append(m.Effects, c.continuationText(br)+" "+c.abandonedText(br))
	if br.Live != "" {
		m.Effects = append(m.Effects, br.Live)
	}
	m.Prompt = promptModel(br.Prefill, "Original prompt (edit and resend)", br.Resume)
	m.Summary = summaryModel(br)
	m.Label = &components.LabelField{Value: br.Label, Placeholder: "What this branch tries", Existing: recentLabels(c.Tree, "")}
	if br.Entry == "" && br.Choice != "write" && br.Choice != "generate" {
		m.Label = nil // no entry to label
	}
	m.Lines = c.linesModel(br.Action, br.Lines)
	return m
}

// offerFork links a refused branch to the dialog that branches to a new file.
func (c ChangeView) offerFork(m components.Dialog, entry string) components.Dialog {
	if m.Alternative == nil && entry != "" && c.Can.Fork.IsPossible() {
		m.Alternative = &components.Link{Text: "Branch to a new file", Href: c.actionHref("fork") + "?entry=" + url.QueryEscape(entry)}
	}
	return m
}

// promptModel returns the prompt to send next and the command that resumes the agent, or
// nil if there is neither.
func promptModel(text, note, resume string) *components.Prompt {
	if text == "" && resume == "" {
		return nil
	}
	return &components.Prompt{Text: text, Note: note, Resume: view.EscapeInvisible(resume)}
}

// continuationText describes where the agent continues.
func (c ChangeView) continuationText(br BranchForm) string {
	p := c.Tree.FindID(br.Entry)
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

// abandonedText describes the entries that the branch abandons.
func (c ChangeView) abandonedText(br BranchForm) string {
	entries := components.Pluralize(br.Abandoned, "entry", "entries")
	switch {
	case br.Abandoned == 0:
		return "Nothing is left behind."
	case br.Entry == "":
		return "The " + entries + " " + stayText(br.Abandoned) + "."
	case br.Ancestor == nil && br.NewLeaf != nil:
		return "The " + entries + " of the other branch " + stayText(br.Abandoned) + "; the two share no entry."
	case br.Ancestor == nil || *br.Ancestor == br.Entry:
		return "The " + entries + " after it " + stayText(br.Abandoned) + "."
	}
	at := view.NearestMessage(c.Tree, c.Tree.FindID(*br.Ancestor))
	if at == session.NoPos {
		return "The " + entries + " of the branch you leave " + stayText(br.Abandoned) + "."
	}
	return "The " + entries + " of the branch you leave " + stayText(br.Abandoned) + "; both branches split after “" + entryPhrase(c.Tree, at, 60) + "”."
}

func stayText(n int) string {
	if n == 1 {
		return "stays in the tree"
	}
	return "stay in the tree"
}

func summaryModel(br BranchForm) *components.SummaryModel {
	m := &components.SummaryModel{
		Choice: cmp.Or(br.Choice, "none"), Text: br.Text, Instructions: br.Instructions, Replace: br.Replace,
		Abandoned: "the " + components.Pluralize(br.Abandoned, "entry", "entries") + " you leave", NoGenerate: br.NoGenerate,
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

// branchBeforeFirstLink links to the place before the first entry if only settings and
// system prompts precede the entry. It returns nil for a prompt that is a root, because the
// branch starts there anyway.
func (c ChangeView) branchBeforeFirstLink(br BranchForm) *components.Link {
	p := c.Tree.FindID(br.Entry)
	if p == session.NoPos || br.NewLeaf == nil {
		return nil
	}
	for at := c.Tree.Parent(p); at != session.NoPos; at = c.Tree.Parent(at) {
		if k := c.Tree.At(at).Kind; !k.IsBookkeeping() && k != session.KindSystem {
			return nil
		}
	}
	return &components.Link{Text: "Branch before the first entry instead", Href: c.actionHref("branch") + "?entry=" + view.BeforeFirstEntry}
}
