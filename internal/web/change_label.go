package web

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/edit"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

var labelAction = action{
	name: "label",
	ask: func(c *changing) (components.Dialog, error) {
		id, err := c.known()
		if err != nil {
			return components.Dialog{}, err
		}
		return c.draw(func(v view.Change) components.Dialog { return c.s.builder.Label(v, id, c.label()) }), nil
	},
	do: func(c *changing) (components.DoneModel, error) {
		id, err := c.known()
		if err != nil {
			return components.DoneModel{}, err
		}
		was := c.labelOf(id)
		label := *c.label()
		if was == label {
			return components.DoneModel{Text: "Nothing was written: the label is as it was."}, nil
		}
		r, err := edit.Label(c.ctx, c.sess, c.s.hooks, id, label, c.seen())
		if err != nil {
			return components.DoneModel{}, err
		}
		m := components.DoneModel{Text: "Labeled", Strong: label, More: after(r)}
		if label == "" {
			m.Text = "Label removed."
		}
		m.Undo = &components.UndoModel{Post: "/sessions/" + c.sess.Key() + "/label", Fields: []components.Pair{
			{Name: "entry", Value: id}, {Name: "label", Value: was}, {Name: "seen-label", Value: label},
		}}
		return m, nil
	},
}

// label is what was typed, or the label that was pressed; nil before the form was
// sent.
func (c *changing) label() *string {
	v := c.typed("label")
	switch {
	case v == nil:
	case c.form.Has("remove"):
		*v = ""
	case c.form.Has("chip"):
		*v = c.text("chip")
	}
	return v
}

// labelOf is the label in force.
func (c *changing) labelOf(id string) (text string) {
	c.look(func(v view.Change) {
		if p := v.Tree.Find(id); p != session.NoPos {
			in, _ := v.Tree.Label(p)
			text = in.Text
		}
	})
	return text
}

// after says what else there is to know of a change that was made.
func after(r edit.Result) string {
	text := ""
	if r.Aside {
		text = "Kept beside the file. "
	}
	if r.Repaired > 0 {
		text += "The agent wrote at the same time; the leaf was given back to it. "
	}
	for _, w := range r.Warnings {
		text += sentence(warning(w)) + " "
	}
	return text
}

// warning is what a program that was told had to complain of.
type warning string

func (w warning) Error() string { return string(w) }
