package web

import (
	"strings"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/edit"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

var renameAction = action{
	name: "rename",
	ask: func(c *changing) (components.Dialog, error) {
		name := c.newName()
		lines, refused := c.wouldBe(session.Change{Op: session.OpName, Text: name})
		return c.draw(func(v view.Change) components.Dialog { return c.s.builder.Rename(v, name, lines, refused) }), nil
	},
	lines: func(c *changing) ([]session.Line, error) {
		return c.sess.Preview(c.ctx, session.Change{Op: session.OpName, Text: c.newName()})
	},
	do: func(c *changing) (components.DoneModel, error) {
		was, name := c.name(), c.text("name")
		if was == name {
			return components.DoneModel{Text: "Nothing was written: the name is as it was."}, nil
		}
		r, err := edit.Rename(c.ctx, c.sess, name)
		if err != nil {
			return components.DoneModel{}, err
		}
		m := components.DoneModel{Text: "Renamed to", Strong: name, More: after(r)}
		if name == "" {
			m.Text = "Name removed."
		}
		m.Undo = &components.UndoModel{Post: "/sessions/" + c.sess.Key() + "/rename", Fields: []components.Pair{{Name: "name", Value: was}}}
		return m, nil
	},
}

// newName is the name that was typed, else the one in force.
func (c *changing) newName() string {
	if c.form.Has("name") {
		return c.text("name")
	}
	return c.name()
}

// name is the session's name in force.
func (c *changing) name() (name string) {
	c.sess.Read(func(t *session.Tree, _ store.Rev) { name = t.Header().Name })
	return name
}

var migrateAction = action{
	name: "migrate",
	ask: func(c *changing) (components.Dialog, error) {
		return c.draw(func(v view.Change) components.Dialog { return c.s.builder.Migrate(v) }), nil
	},
	do: func(c *changing) (components.DoneModel, error) {
		done, err := c.sess.Migrate(c.ctx)
		if err != nil {
			return components.DoneModel{}, err
		}
		if done.From == done.To {
			return components.DoneModel{Text: "Nothing was written: the file is in the current version already."}, nil
		}
		m := components.DoneModel{Text: "Migrated. The original is", Strong: view.ShortFile(done.Backup), Go: "/sessions/" + c.sess.Key()}
		if n := len(done.Unmatched); n > 0 {
			m.More = "Some labels fit no line and stay beside the file: " + strings.Join(done.Unmatched, ", ") + "."
		}
		return m, nil
	},
}

var forkAction = action{
	name: "fork",
	ask: func(c *changing) (components.Dialog, error) {
		id, err := c.known()
		if err != nil {
			return components.Dialog{}, err
		}
		p, err := edit.Preview(c.ctx, c.sess, edit.Request{Entry: id})
		if err != nil {
			return components.Dialog{}, err
		}
		text := ""
		if p.Prefill != nil {
			text = *p.Prefill
		}
		return c.draw(func(v view.Change) components.Dialog { return c.s.builder.Fork(v, id, text) }), nil
	},
	do: func(c *changing) (components.DoneModel, error) {
		id, err := c.known()
		if err != nil {
			return components.DoneModel{}, err
		}
		f, err := edit.Fork(c.ctx, c.sess, c.s.hooks, id, "")
		if err != nil {
			return components.DoneModel{}, err
		}
		m := components.DoneModel{Text: "Branched to", Strong: view.ShortFile(f.Path), More: after(edit.Result{Warnings: f.Warnings})}
		c.s.catalog.Touch(c.ctx, f.Path) // so that the link leads somewhere at once
		made := store.Key(c.sess.Format().Name, f.ID, f.Path)
		if _, ok := c.s.catalog.Find(made); ok {
			m.Link = &components.Link{Text: "Open", Href: "/sessions/" + made}
		}
		return m, nil
	},
}

var endLineAction = action{
	name: "end-line",
	ask: func(c *changing) (components.Dialog, error) {
		torn := tornLine(c.sess)
		return c.draw(func(v view.Change) components.Dialog { return c.s.builder.EndLine(v, torn) }), nil
	},
	do: func(c *changing) (components.DoneModel, error) {
		if err := c.sess.EndLine(c.ctx); err != nil {
			return components.DoneModel{}, err
		}
		return components.DoneModel{Text: "The line is ended."}, nil
	},
}

func tornLine(sess *store.Session) bool {
	for _, n := range sess.Notes() {
		if n.Code == session.NoteTornLine {
			return true
		}
	}
	return false
}

// crashed is how long a line that is not finished must have stood for its writer
// to be taken as gone.
const crashed = 10 * time.Second
