package web

import (
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/edit"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view/dialog"
	"sessiontree/internal/web/visit"
	"sessiontree/web/components"
)

var renameAction = changeAction{
	name: "rename",
	dialog: func(c *changeRequest) (components.Dialog, error) {
		name := c.submittedName()
		lines, refused := c.previewChange(session.Change{Op: session.OpName, Text: name})
		return c.buildDialog(func(v dialog.ChangeView) components.Dialog { return v.RenameDialog(name, lines, refused) }), nil
	},
	previewLines: func(c *changeRequest) ([]session.Line, error) {
		return c.sess.PreviewChange(c.ctx, session.Change{Op: session.OpName, Text: c.submittedName()})
	},
	apply: func(c *changeRequest) (components.ChangeResultModel, error) {
		was, name := c.currentName(), c.formText("name")
		if was == name {
			return components.ChangeResultModel{Text: "Nothing was written: the name is unchanged."}, nil
		}
		r, err := edit.Rename(c.ctx, c.sess, name)
		if err != nil {
			return components.ChangeResultModel{}, err
		}
		m := components.ChangeResultModel{Text: "Renamed to", Strong: name, More: resultNotes(r)}
		if name == "" {
			m.Text = "Name removed."
		}
		m.Undo = &components.UndoModel{Post: "/sessions/" + c.sess.Key() + "/rename", Fields: []components.Pair{{Name: "name", Value: was}}}
		return m, nil
	},
}

// submittedName returns the submitted name, or the current one.
func (c *changeRequest) submittedName() string {
	if c.form.Has("name") {
		return c.formText("name")
	}
	return c.currentName()
}

// currentName returns the name of the session.
func (c *changeRequest) currentName() (name string) {
	c.sess.ReadTree(func(t *session.Tree, _ store.Revision) { name = t.Header().Name })
	return name
}

var migrateAction = changeAction{
	name: "migrate",
	dialog: func(c *changeRequest) (components.Dialog, error) {
		return c.buildDialog(func(v dialog.ChangeView) components.Dialog { return v.MigrateDialog() }), nil
	},
	apply: func(c *changeRequest) (components.ChangeResultModel, error) {
		done, err := c.sess.Migrate(c.ctx)
		if err != nil {
			return components.ChangeResultModel{}, err
		}
		if done.FromVersion == done.ToVersion {
			return components.ChangeResultModel{Text: "Nothing was written: the file is already in the current version."}, nil
		}
		m := components.ChangeResultModel{Text: "Migrated. The original is", Strong: dialog.ShortFileName(done.Backup), Go: "/sessions/" + c.sess.Key()}
		if n := len(done.Unmatched); n > 0 {
			m.More = "Some labels fit no line and stay in the state directory: " + strings.Join(done.Unmatched, ", ") + "."
		}
		return m, nil
	},
}

var forkAction = changeAction{
	name: "fork",
	dialog: func(c *changeRequest) (components.Dialog, error) {
		id, err := c.requireEntry()
		if err != nil {
			return components.Dialog{}, err
		}
		p, err := edit.PreviewBranch(c.ctx, c.sess, edit.Request{Entry: id})
		if err != nil {
			return components.Dialog{}, err
		}
		text := ""
		if p.Prefill != nil {
			text = *p.Prefill
		}
		return c.buildDialog(func(v dialog.ChangeView) components.Dialog { return v.ForkDialog(id, text) }), nil
	},
	apply: func(c *changeRequest) (components.ChangeResultModel, error) {
		id, err := c.requireEntry()
		if err != nil {
			return components.ChangeResultModel{}, err
		}
		f, err := edit.Fork(c.ctx, c.sess, c.h.hooks, id, "")
		if err != nil {
			return components.ChangeResultModel{}, err
		}
		m := components.ChangeResultModel{Text: "Branched to", Strong: dialog.ShortFileName(f.Path), More: resultNotes(edit.Result{Warnings: f.Warnings})}
		c.h.catalog.UpdatePaths(c.ctx, f.Path) // so that the link works at once
		made := c.h.library.DeriveKey(c.sess.Format().Name, f.ID, f.Path)
		if _, ok := c.h.catalog.FindByKey(made); ok {
			m.Link = &components.Link{Text: "Open", Href: "/sessions/" + made}
		}
		return m, nil
	},
}

var restoreAction = changeAction{
	name: "restore",
	dialog: func(c *changeRequest) (components.Dialog, error) {
		deleted := c.sess.IsDeleted()
		return c.buildDialog(func(v dialog.ChangeView) components.Dialog { return v.RestoreDialog(deleted) }), nil
	},
	apply: func(c *changeRequest) (components.ChangeResultModel, error) {
		m := components.ChangeResultModel{Text: "File restored."}
		if !c.sess.IsDeleted() {
			m.Text = "Nothing was written: the file exists."
		} else if err := c.h.restore(c.ctx, c.sess.Path()); err != nil {
			return m, err
		}
		if back := c.form.Get("back"); back != "" {
			m.Go = visit.ListAddress(back)
		}
		return m, nil
	},
}

var endLineAction = changeAction{
	name: "end-line",
	dialog: func(c *changeRequest) (components.Dialog, error) {
		torn := hasTornLine(c.sess)
		return c.buildDialog(func(v dialog.ChangeView) components.Dialog { return v.EndLineDialog(torn) }), nil
	},
	apply: func(c *changeRequest) (components.ChangeResultModel, error) {
		if err := c.sess.EndTornLine(c.ctx); err != nil {
			return components.ChangeResultModel{}, err
		}
		return components.ChangeResultModel{Text: "Line ended."}, nil
	},
}

func hasTornLine(sess *store.Session) bool {
	for _, n := range sess.Notes() {
		if n.Code == session.NoteTornLine {
			return true
		}
	}
	return false
}
