package web

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/edit"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

var pickAction = action{
	name: "cherry-pick",
	ask: func(c *changing) (components.Dialog, error) {
		id, err := c.known()
		if err != nil {
			return components.Dialog{}, err
		}
		lines, refused := c.wouldBe(edit.Picked(id))
		return c.draw(func(v view.Change) components.Dialog { return c.s.builder.Pick(v, id, lines, refused) }), nil
	},
	do: func(c *changing) (components.DoneModel, error) {
		id, err := c.known()
		if err != nil {
			return components.DoneModel{}, err
		}
		r, err := edit.Pick(c.ctx, c.sess, id, c.seen())
		return c.copied("Copied onto the leaf.", r, err)
	},
}

var mergeAction = action{
	name: "merge",
	ask: func(c *changing) (components.Dialog, error) {
		id, err := c.known()
		if err != nil {
			return components.Dialog{}, err
		}
		var lines []session.Line
		refused := ""
		merged, err := edit.Merged(c.sess, id)
		if err != nil {
			refused = sentence(err)
		} else {
			lines, refused = c.wouldBe(merged)
		}
		return c.draw(func(v view.Change) components.Dialog {
			return c.s.builder.Merge(v, id, len(merged.Copies), lines, refused)
		}), nil
	},
	do: func(c *changing) (components.DoneModel, error) {
		id, err := c.known()
		if err != nil {
			return components.DoneModel{}, err
		}
		r, err := edit.Merge(c.ctx, c.sess, id, c.seen())
		return c.copied("Merged onto the leaf.", r, err)
	},
}

var repairAction = action{
	name: "repair",
	ask: func(c *changing) (components.Dialog, error) {
		ch, err := edit.Repaired(c.sess)
		var lines []session.Line
		refused := ""
		if err != nil {
			refused = sentence(err)
		} else {
			lines, refused = c.wouldBe(ch)
		}
		return c.draw(func(v view.Change) components.Dialog { return c.s.builder.Repair(v, ch.Entry, lines, refused) }), nil
	},
	do: func(c *changing) (components.DoneModel, error) {
		r, err := edit.Repair(c.ctx, c.sess, c.seen())
		return c.copied("The newest branch is current again.", r, err)
	},
}

// copied says what came of lines that were added at the leaf, and leads there.
func (c *changing) copied(text string, r edit.Result, err error) (components.DoneModel, error) {
	if err != nil {
		return components.DoneModel{}, err
	}
	return components.DoneModel{Text: text, More: after(r), Go: "/sessions/" + c.sess.Key()}, nil
}
