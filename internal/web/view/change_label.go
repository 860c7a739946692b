package view

import (
	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// Label is the popover that labels an entry. typed is what the reader wrote, nil
// shows the label in force.
func (b *Builder) Label(c Change, entry string, typed *string) components.Dialog {
	m := b.dialog(c, "label", "Label this entry", entry, c.Can.Label)
	in, has := c.Tree.Label(c.Tree.Find(entry))
	m.Hidden = append(m.Hidden, components.Pair{Name: "seen-label", Value: in.Text})
	m.Label = &components.LabelField{Value: in.Text, Placeholder: "Label", Existing: labelTexts(c.Tree, in.Text), Had: has}
	if typed != nil {
		m.Label.Value = *typed
	}
	m.Submit = "Save label"
	return m
}

// Rename is the dialog that names the session: lines is what would be written, refused
// why it cannot be.
func (b *Builder) Rename(c Change, name string, lines []session.Line, refused string) components.Dialog {
	m := b.dialog(c, "rename", "Rename this session", "", c.Can.Name)
	m.Name = &components.NameField{Value: name, Placeholder: sessionName(c.Tree)}
	m.Say = []string{"Without a name the session is called by its first prompt."}
	m.Submit = "Save name"
	m.Reason, m.Lines = orWord(m.Reason, refused), c.lines("rename", lines)
	if m.Lines != nil && m.Lines.Head != "" {
		m.Safe = "The title at the start of the file is replaced. Nothing else is rewritten or deleted."
	}
	return m
}

// Migrate is the dialog that rewrites a file of an old version.
func (b *Builder) Migrate(c Change) components.Dialog {
	m := b.dialog(c, "migrate", "Migrate this file", "", c.Can.Migrate)
	h := c.Tree.Header()
	if !h.Migrated {
		m.Reason = orWord(m.Reason, "This file is in the current version already.")
		return m
	}
	m.Say = []string{
		"This file is of " + version(h.Version) + ". It is shown as the current version would hold it; Migrate rewrites it so, which its agent would do as well on opening it. Then it can be branched and renamed in place.",
		"The original is kept beside it as " + ShortFile(c.File) + ".bak. Labels that were kept beside the file become lines of it.",
	}
	m.Safe = "The original is kept."
	m.Submit = "Migrate"
	return m
}

// Fork is the dialog that makes a new session file of the path to an entry.
func (b *Builder) Fork(c Change, entry, text string) components.Dialog {
	m := b.dialog(c, "fork", "Branch to new file", entry, c.Can.Fork)
	p := c.Tree.Find(entry)
	path := c.Tree.Path(p)
	m.Say = []string{"A new session file is made beside this one: " + plural(len(path), "entry", "entries") + ", from the start to this one, with their labels. This file stays as it is."}
	m.Submit = "Create file"
	m.Safe = "This file is not touched."
	if m.Reason != "" || answered(c.Tree, path) {
		return m
	}
	m.Say = nil
	m.Reason = "No answer stands on the path to this entry, and " + b.formatTitle(c.Tree.Header().Format) + " would not open such a session."
	if c.Tree.At(p).Kind == session.KindUser {
		m.Reason += " A session with an empty history is begun in the agent itself: start one and send this prompt."
		m.Prompt = prompt(text, "The prompt to begin it with", "")
	}
	return m
}

// answered reports whether a path holds an answer.
func answered(t *session.Tree, path []session.Pos) bool {
	for _, p := range path {
		if t.At(p).Kind == session.KindAssistant {
			return true
		}
	}
	return false
}
