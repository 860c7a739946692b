package dialog

import (
	"cmp"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// LabelDialog returns the popover that labels an entry. typed is the submitted label; nil
// shows the current one.
func (c ChangeView) LabelDialog(entry string, typed *string) components.Dialog {
	m := c.newDialog("label", "Label this entry", entry, c.Can.Label)
	in, has := c.Tree.Label(c.Tree.FindID(entry))
	m.Hidden = append(m.Hidden, components.Pair{Name: "seen-label", Value: in.Text})
	m.Label = &components.LabelField{Value: in.Text, Placeholder: "Label", Existing: recentLabels(c.Tree, in.Text), CanRemove: has}
	if typed != nil {
		m.Label.Value = *typed
	}
	m.Submit = "Save label"
	return m
}

// RenameDialog returns the dialog that names the session. lines are the lines to write;
// refused is the reason why it cannot be renamed, or "".
func (c ChangeView) RenameDialog(name string, lines []session.Line, refused string) components.Dialog {
	m := c.newDialog("rename", "Rename this session", "", c.Can.Name)
	m.Name = &components.NameField{Value: name, Placeholder: view.SessionName(c.Tree)}
	m.Effects = []string{"Without a name, the session shows its first prompt."}
	m.Submit = "Save name"
	m.Reason, m.Lines = cmp.Or(m.Reason, refused), c.linesModel("rename", lines)
	if m.Lines != nil && m.Lines.Head != "" {
		m.Unchanged = "The title at the start of the file is replaced. Nothing else is rewritten or deleted."
	}
	return m
}

// MigrateDialog returns the dialog that rewrites a file of an old version.
func (c ChangeView) MigrateDialog() components.Dialog {
	m := c.newDialog("migrate", "Migrate this file", "", c.Can.Migrate)
	h := c.Tree.Header()
	if !h.Migrated {
		m.Reason = cmp.Or(m.Reason, "This file is already in the current version.")
		return m
	}
	m.Effects = []string{
		"This file is of " + versionText(h.Version) + ". It is shown in the current format. Migrate rewrites it in that format, as its agent would on opening it; then it can be branched and renamed in place.",
		"The original is kept next to it as " + ShortFileName(c.File) + ".bak. Labels stored outside the file become lines of it.",
	}
	m.Unchanged = "The original is kept."
	m.Submit = "Migrate"
	return m
}

// RestoreDialog returns the dialog that writes a deleted file again. deleted is set if it is
// deleted.
func (c ChangeView) RestoreDialog(deleted bool) components.Dialog {
	m := c.newDialog("restore", "Restore file", "", session.Ability{})
	if !deleted {
		m.Reason = "The file exists."
		return m
	}
	m.Effects = []string{
		"The file is written again where it was, with the same bytes and the same time: " + view.EscapeInvisible(view.HomePath(c.File, c.Config.Home)),
		"Deleted files of its sub-agents and images are restored with it. " + c.Config.TitleOfFormat(c.Tree.Header().Format) + " may delete old files again; the copy stays.",
	}
	m.Unchanged = "No file is replaced."
	return m
}

// ForkDialog returns the dialog that copies the path to an entry into a new session file.
func (c ChangeView) ForkDialog(entry, text string) components.Dialog {
	m := c.newDialog("fork", "Branch to new file", entry, c.Can.Fork)
	p := c.Tree.FindID(entry)
	path := c.Tree.Path(p)
	m.Effects = []string{"A new session file is created next to this one: " + components.Pluralize(len(path), "entry", "entries") + ", from the start to this one, with their labels."}
	m.Submit = "Create file"
	m.Unchanged = "The original stays unchanged."
	if m.Reason != "" || hasAnswer(c.Tree, path) {
		return m
	}
	m.Effects = nil
	m.Reason = "There is no answer on the path to this entry, and " + c.Config.TitleOfFormat(c.Tree.Header().Format) + " would not open such a session."
	if c.Tree.At(p).Kind == session.KindUser {
		m.Reason += " To begin with an empty history, start a session in the agent and send this prompt."
		m.Prompt = promptModel(text, "Original prompt (edit and resend)", "")
	}
	return m
}

// hasAnswer reports whether a path contains an assistant entry.
func hasAnswer(t *session.Tree, path []session.Pos) bool {
	for _, p := range path {
		if t.At(p).Kind == session.KindAssistant {
			return true
		}
	}
	return false
}
