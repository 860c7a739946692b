package web

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/edit"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

var branchAction = action{
	name: "branch",
	ask: func(c *changing) (components.Dialog, error) {
		return c.branchDialog("branch", "Branch here", c.entry())
	},
	do: func(c *changing) (components.DoneModel, error) {
		if err := c.target(); err != nil {
			return components.DoneModel{}, err
		}
		b, err := edit.Branch(c.ctx, c.sess, c.s.hooks, c.branching(c.entry()))
		return c.branched(b, err)
	},
	lines: func(c *changing) ([]session.Line, error) { return c.branchLines(c.entry()) },
}

var popAction = action{
	name: "pop",
	ask: func(c *changing) (components.Dialog, error) {
		id, err := c.popped()
		if err != nil {
			return c.draw(func(v view.Change) components.Dialog { return c.s.builder.NoPop(v, sentence(err)) }), nil
		}
		return c.branchDialog("pop", "Pop to the previous prompt", id)
	},
	do: func(c *changing) (components.DoneModel, error) {
		b, err := edit.Pop(c.ctx, c.sess, c.s.hooks, c.branching(c.entry()))
		return c.branched(b, err)
	},
	lines: func(c *changing) ([]session.Line, error) { return c.branchLines(c.entry()) },
}

// popped is the prompt that the form names, else the last one above the leaf.
func (c *changing) popped() (string, error) {
	if id := c.entry(); id != "" {
		return c.known()
	}
	return edit.Previous(c.sess)
}

// target wants the form to name where to branch: an entry, or the place before
// the first one by its name, so that a form without a field moves nothing there.
func (c *changing) target() error {
	if c.form.Get("entry") == none {
		return nil
	}
	_, err := c.known()
	return err
}

// branching is the request that a form makes.
func (c *changing) branching(entry string) edit.Request {
	r := edit.Request{
		Entry: entry, Seen: c.seen(), Label: c.text("label"), Progress: c.progress,
		Instructions: c.text("instructions"), Replace: c.form.Get("replace") != "",
	}
	switch c.form.Get("summary") {
	case "write":
		r.Summary, r.Text = edit.ByUser, c.text("text")
	case "generate":
		r.Summary = edit.ByProgram
	}
	return r
}

// branchDialog asks about a branch. What it shows is of the session as it is now,
// whatever the reader saw before.
func (c *changing) branchDialog(action, title, entry string) (components.Dialog, error) {
	if entry == "" || c.again {
		if err := c.target(); err != nil && action == "branch" {
			return components.Dialog{}, err
		}
	}
	r := c.branching(entry)
	r.Seen.HasLeaf = false
	p, err := c.plan(r)
	if err != nil {
		return components.Dialog{}, err
	}
	br := view.Branching{
		Action: action, Title: title, Entry: entry, Ancestor: p.Ancestor, NewLeaf: p.NewLeaf, Abandoned: len(p.Abandoned), Noop: p.Noop,
		Resume: p.Resume, Live: p.Live, Refused: p.Refused, Lines: p.Append,
		Choice: c.form.Get("summary"), Text: c.text("text"), Instructions: r.Instructions, Replace: r.Replace, Label: r.Label,
	}
	if p.Prefill != nil {
		br.Prefill = *p.Prefill
	}
	if c.form.Has("prompt") {
		br.Prefill = c.text("prompt")
	}
	if err := c.s.hooks.CanSummarize(); err != nil {
		br.NoGenerate = "No summarizer is set. Start the explorer with --summarizer COMMAND."
	}
	return c.draw(func(v view.Change) components.Dialog { return c.s.builder.Branch(v, br) }), nil
}

// plan is what a branch would do. A summary that is still to be written stands in
// its line as what it will be.
func (c *changing) plan(r edit.Request) (edit.Plan, error) {
	if r.Summary == edit.ByUser && r.Text == "" {
		r.Text = "(your summary)"
	}
	if r.Entry == "" && r.Summary == edit.ByNobody {
		r.Label = ""
	}
	return edit.Preview(c.ctx, c.sess, r)
}

func (c *changing) branchLines(entry string) ([]session.Line, error) {
	r := c.branching(entry)
	r.Seen.HasLeaf = false
	p, err := c.plan(r)
	return p.Append, err
}

// branched says what came of a branch, and leads to the leaf.
func (c *changing) branched(b edit.Branched, err error) (components.DoneModel, error) {
	if err != nil && len(b.Lines) == 0 {
		return components.DoneModel{}, err
	}
	m := components.DoneModel{Go: "/sessions/" + c.sess.Key(), Text: "Branched here.", More: after(b.Result)}
	if b.Noop {
		m.Text, m.Go = "Nothing was written: the agent stands here already.", ""
		return m, nil
	}
	if err != nil {
		m.More += sentence(err)
	}
	prompt := c.text("prompt")
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

var switchAction = action{
	name: "switch",
	ask: func(c *changing) (components.Dialog, error) {
		id, err := c.known()
		if err != nil {
			return components.Dialog{}, err
		}
		lines, refused := c.wouldBe(session.Change{Op: session.OpSwitch, Entry: id})
		return c.draw(func(v view.Change) components.Dialog { return c.s.builder.Switch(v, id, lines, refused) }), nil
	},
	do: func(c *changing) (components.DoneModel, error) {
		id, err := c.known()
		if err != nil {
			return components.DoneModel{}, err
		}
		b, err := edit.Switch(c.ctx, c.sess, c.s.hooks, id, c.seen())
		if err != nil && len(b.Lines) == 0 {
			return components.DoneModel{}, err
		}
		if b.Noop {
			return components.DoneModel{Text: "Nothing was written: this branch is the current one."}, nil
		}
		m := components.DoneModel{Text: "This branch is current now.", More: after(b.Result), Go: "/sessions/" + c.sess.Key()}
		if b.Resume != "" {
			m.Copies = []components.CopyModel{{Text: "Copy command", Value: b.Resume, Done: "Command copied"}}
		}
		return m, nil
	},
}

// wouldBe returns the lines that a change would write, and why it cannot be made.
func (c *changing) wouldBe(ch session.Change) (lines []session.Line, refused string) {
	lines, err := c.sess.Preview(c.ctx, ch)
	if err != nil {
		return nil, sentence(err)
	}
	return lines, ""
}
