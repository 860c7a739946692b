package web

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/edit"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

var branchAction = changeAction{
	name: "branch",
	dialog: func(c *changeRequest) (components.Dialog, error) {
		return c.buildBranchDialog("branch", "Branch here", c.entryID())
	},
	apply: func(c *changeRequest) (components.ChangeResultModel, error) {
		if err := c.requireTarget(); err != nil {
			return components.ChangeResultModel{}, err
		}
		b, err := edit.Branch(c.ctx, c.sess, c.s.hooks, c.parseBranchRequest(c.entryID()))
		return c.branchDone(b, err)
	},
	previewLines: func(c *changeRequest) ([]session.Line, error) { return c.previewBranchLines(c.entryID()) },
}

var popAction = changeAction{
	name: "pop",
	dialog: func(c *changeRequest) (components.Dialog, error) {
		id, err := c.promptToPop()
		if err != nil {
			return c.buildDialog(func(v view.ChangeView) components.Dialog { return v.RefusedPopDialog(errorSentence(err)) }), nil
		}
		return c.buildBranchDialog("pop", "Go back one prompt", id)
	},
	apply: func(c *changeRequest) (components.ChangeResultModel, error) {
		b, err := edit.PopToPrompt(c.ctx, c.sess, c.s.hooks, c.parseBranchRequest(c.entryID()))
		return c.branchDone(b, err)
	},
	previewLines: func(c *changeRequest) ([]session.Line, error) { return c.previewBranchLines(c.entryID()) },
}

// promptToPop returns the prompt that the form names, or the last one above the leaf.
func (c *changeRequest) promptToPop() (string, error) {
	if id := c.entryID(); id != "" {
		return c.requireEntry()
	}
	return edit.PreviousPrompt(c.sess)
}

// requireTarget returns an error unless the form names where to branch. The place before
// the first entry has to be named too, so that an incomplete form cannot branch there.
func (c *changeRequest) requireTarget() error {
	if c.form.Get("entry") == beforeFirstEntry {
		return nil
	}
	_, err := c.requireEntry()
	return err
}

// parseBranchRequest returns the branch request of a form.
func (c *changeRequest) parseBranchRequest(entry string) edit.Request {
	r := edit.Request{
		Entry: entry, Precondition: c.seenState(), Label: c.formText("label"), Progress: c.progress,
		Instructions: c.formText("instructions"), ReplaceInstructions: c.form.Get("replace") != "",
	}
	switch c.form.Get("summary") {
	case "write":
		r.Summary, r.Text = edit.SummaryByUser, c.formText("text")
	case "generate":
		r.Summary = edit.SummaryByProgram
	}
	return r
}

// buildBranchDialog returns the dialog of a branch. It shows the current state of the
// session, regardless of what the user saw before.
func (c *changeRequest) buildBranchDialog(action, title, entry string) (components.Dialog, error) {
	if entry == "" || c.submitted {
		if err := c.requireTarget(); err != nil && action == "branch" {
			return components.Dialog{}, err
		}
	}
	r := c.parseBranchRequest(entry)
	r.Precondition.HasLeaf = false
	p, err := c.planBranch(r)
	if err != nil {
		return components.Dialog{}, err
	}
	br := view.BranchForm{
		Action: action, Title: title, Entry: entry, Ancestor: p.Ancestor, NewLeaf: p.NewLeaf, Abandoned: len(p.Abandoned), Noop: p.IsNoop,
		Resume: p.Resume, Live: p.LiveWarning, Refused: p.RefusedReason, Lines: p.Append,
		Choice: c.form.Get("summary"), Text: c.formText("text"), Instructions: r.Instructions, Replace: r.ReplaceInstructions, Label: r.Label,
	}
	if p.Prefill != nil {
		br.Prefill = *p.Prefill
	}
	if c.form.Has("prompt") {
		br.Prefill = c.formText("prompt")
	}
	if err := c.s.hooks.CanSummarize(); err != nil {
		br.NoGenerate = "No summarizer is set. Start the explorer with --summarizer COMMAND."
	}
	return c.buildDialog(func(v view.ChangeView) components.Dialog { return v.BranchDialog(br) }), nil
}

// planBranch returns what a branch would do. Placeholder text stands for a summary that is
// not written yet.
func (c *changeRequest) planBranch(r edit.Request) (edit.MovePlan, error) {
	if r.Summary == edit.SummaryByUser && r.Text == "" {
		r.Text = "(your summary)"
	}
	if r.Entry == "" && r.Summary == edit.NoSummary {
		r.Label = ""
	}
	return edit.PreviewBranch(c.ctx, c.sess, r)
}

func (c *changeRequest) previewBranchLines(entry string) ([]session.Line, error) {
	r := c.parseBranchRequest(entry)
	r.Precondition.HasLeaf = false
	p, err := c.planBranch(r)
	return p.Append, err
}

// branchDone describes the result of a branch and links to the new leaf.
func (c *changeRequest) branchDone(b edit.BranchResult, err error) (components.ChangeResultModel, error) {
	if err != nil && len(b.Lines) == 0 {
		return components.ChangeResultModel{}, err
	}
	m := components.ChangeResultModel{Go: "/sessions/" + c.sess.Key(), Text: "Branched here.", More: resultNotes(b.Result)}
	if b.IsNoop {
		m.Text, m.Go = "Nothing was written: the agent is already here.", ""
		return m, nil
	}
	if err != nil {
		m.More += errorSentence(err)
	}
	prompt := c.formText("prompt")
	if prompt == "" && b.Prefill != nil {
		prompt = *b.Prefill
	}
	if prompt != "" {
		m.Copies = append(m.Copies, components.CopyModel{Text: "Copy prompt", Value: prompt, Done: "Prompt copied"})
	}
	if b.Resume != "" {
		m.Copies = append(m.Copies, components.CopyModel{Text: "Copy command", Value: b.Resume, Done: "Command copied"})
	}
	return m, nil
}

var switchAction = changeAction{
	name: "switch",
	dialog: func(c *changeRequest) (components.Dialog, error) {
		id, err := c.requireEntry()
		if err != nil {
			return components.Dialog{}, err
		}
		lines, refused := c.previewChange(session.Change{Op: session.OpSwitch, Entry: id})
		return c.buildDialog(func(v view.ChangeView) components.Dialog { return v.SwitchDialog(id, lines, refused) }), nil
	},
	apply: func(c *changeRequest) (components.ChangeResultModel, error) {
		id, err := c.requireEntry()
		if err != nil {
			return components.ChangeResultModel{}, err
		}
		b, err := edit.SwitchBranch(c.ctx, c.sess, c.s.hooks, id, c.seenState())
		if err != nil && len(b.Lines) == 0 {
			return components.ChangeResultModel{}, err
		}
		if b.IsNoop {
			return components.ChangeResultModel{Text: "Nothing was written: this branch is already current."}, nil
		}
		m := components.ChangeResultModel{Text: "This branch is current now.", More: resultNotes(b.Result), Go: "/sessions/" + c.sess.Key()}
		if b.Resume != "" {
			m.Copies = []components.CopyModel{{Text: "Copy command", Value: b.Resume, Done: "Command copied"}}
		}
		return m, nil
	},
}

// previewChange returns the lines that a change would write, or why it is refused.
func (c *changeRequest) previewChange(ch session.Change) (lines []session.Line, refused string) {
	lines, err := c.sess.PreviewChange(c.ctx, ch)
	if err != nil {
		return nil, errorSentence(err)
	}
	return lines, ""
}
