package web

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/edit"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

var cherryPickAction = changeAction{
	name: "cherry-pick",
	dialog: func(c *changeRequest) (components.Dialog, error) {
		id, err := c.requireEntry()
		if err != nil {
			return components.Dialog{}, err
		}
		lines, refused := c.previewChange(edit.NewCherryPickChange(id))
		return c.buildDialog(func(v view.ChangeView) components.Dialog { return v.CherryPickDialog(id, lines, refused) }), nil
	},
	apply: func(c *changeRequest) (components.ChangeResultModel, error) {
		id, err := c.requireEntry()
		if err != nil {
			return components.ChangeResultModel{}, err
		}
		r, err := edit.CherryPick(c.ctx, c.sess, id, c.seenState())
		return c.appendDone("Copied to the end of the current branch.", r, err)
	},
}

var mergeAction = changeAction{
	name: "merge",
	dialog: func(c *changeRequest) (components.Dialog, error) {
		id, err := c.requireEntry()
		if err != nil {
			return components.Dialog{}, err
		}
		var lines []session.Line
		refused := ""
		merged, err := edit.NewMergeChange(c.sess, id)
		if err != nil {
			refused = errorSentence(err)
		} else {
			lines, refused = c.previewChange(merged)
		}
		return c.buildDialog(func(v view.ChangeView) components.Dialog {
			return v.MergeDialog(id, len(merged.CopyIDs), lines, refused)
		}), nil
	},
	apply: func(c *changeRequest) (components.ChangeResultModel, error) {
		id, err := c.requireEntry()
		if err != nil {
			return components.ChangeResultModel{}, err
		}
		r, err := edit.Merge(c.ctx, c.sess, id, c.seenState())
		return c.appendDone("Messages added to the current branch.", r, err)
	},
}

var repairAction = changeAction{
	name: "repair",
	dialog: func(c *changeRequest) (components.Dialog, error) {
		ch, err := edit.NewRepairChange(c.sess)
		var lines []session.Line
		refused := ""
		if err != nil {
			refused = errorSentence(err)
		} else {
			lines, refused = c.previewChange(ch)
		}
		return c.buildDialog(func(v view.ChangeView) components.Dialog {
			return v.RepairDialog(ch.Entry, lines, refused)
		}), nil
	},
	apply: func(c *changeRequest) (components.ChangeResultModel, error) {
		r, err := edit.RepairLeaf(c.ctx, c.sess, c.seenState())
		return c.appendDone("The newest branch is current again.", r, err)
	},
}

// appendDone describes the result of lines appended at the leaf and links there.
func (c *changeRequest) appendDone(text string, r edit.Result, err error) (components.ChangeResultModel, error) {
	if err != nil {
		return components.ChangeResultModel{}, err
	}
	return components.ChangeResultModel{Text: text, More: resultNotes(r), Go: "/sessions/" + c.sess.Key()}, nil
}
