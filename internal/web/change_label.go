package web

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/edit"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

var labelAction = changeAction{
	name: "label",
	dialog: func(c *changeRequest) (components.Dialog, error) {
		id, err := c.requireEntry()
		if err != nil {
			return components.Dialog{}, err
		}
		return c.buildDialog(func(v view.ChangeView) components.Dialog { return v.LabelDialog(id, c.submittedLabel()) }), nil
	},
	apply: func(c *changeRequest) (components.ChangeResultModel, error) {
		id, err := c.requireEntry()
		if err != nil {
			return components.ChangeResultModel{}, err
		}
		was := c.currentLabel(id)
		label := *c.submittedLabel()
		if was == label {
			return components.ChangeResultModel{Text: "Nothing was written: the label is unchanged."}, nil
		}
		r, err := edit.Label(c.ctx, c.sess, c.s.hooks, id, label, c.seenState())
		if err != nil {
			return components.ChangeResultModel{}, err
		}
		m := components.ChangeResultModel{Text: "Labeled", Strong: label, More: resultNotes(r)}
		if label == "" {
			m.Text = "Label removed."
		}
		m.Undo = &components.UndoModel{Post: "/sessions/" + c.sess.Key() + "/label", Fields: []components.Pair{
			{Name: "entry", Value: id}, {Name: "label", Value: was}, {Name: "seen-label", Value: label},
		}}
		return m, nil
	},
}

// submittedLabel returns the label that was typed or picked. It is nil if the form was not
// submitted.
func (c *changeRequest) submittedLabel() *string {
	v := c.submittedField("label")
	switch {
	case v == nil:
	case c.form.Has("remove"):
		*v = ""
	case c.form.Has("chip"):
		*v = c.formText("chip")
	}
	return v
}

// currentLabel returns the label of an entry.
func (c *changeRequest) currentLabel(id string) (text string) {
	c.withChangeView(func(v view.ChangeView) {
		if p := v.Tree.FindID(id); p != session.NoPos {
			in, _ := v.Tree.Label(p)
			text = in.Text
		}
	})
	return text
}

// resultNotes describes the side effects of a change.
func resultNotes(r edit.Result) string {
	text := ""
	if r.InSidecar {
		text = "Stored in the state directory. "
	}
	if r.Repaired > 0 {
		text += "The agent wrote at the same time; its entry is the leaf again. "
	}
	for _, w := range r.Warnings {
		text += errorSentence(hookWarning(w)) + " "
	}
	return text
}

// hookWarning is a complaint of a program that was notified of a change.
type hookWarning string

func (w hookWarning) Error() string { return string(w) }
