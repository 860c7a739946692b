package view

import (
	"cmp"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// appendDialog completes a dialog that appends lines at the leaf. A refused dialog shows
// the reason instead of the effect.
func (c ChangeView) appendDialog(m components.Dialog, say, submit string, lines []session.Line, refused string) components.Dialog {
	m.Reason = cmp.Or(m.Reason, refused)
	m.Hidden = append(m.Hidden, c.seenLeafField())
	if m.Reason == "" {
		m.Effects = c.withLiveWarning(say)
	}
	m.Lines, m.Submit = c.linesModel(m.Action, lines), submit
	return m
}

// CherryPickDialog returns the dialog that copies an entry to the leaf. refused is the
// reason why it cannot, or "".
func (c ChangeView) CherryPickDialog(entry string, lines []session.Line, refused string) components.Dialog {
	m := c.newDialog("cherry-pick", "Copy to the end of the current branch", entry, c.Can.Copy)
	say := "A copy of it is added after " + c.leafText() + ", with a line that says where it came from. The agent reads it as part of its conversation."
	return c.appendDialog(m, say, "Copy to the end of the current branch", lines, refused)
}

// MergeDialog returns the dialog that copies the messages of another branch to the leaf.
func (c ChangeView) MergeDialog(entry string, messages int, lines []session.Line, refused string) components.Dialog {
	m := c.newDialog("merge", "Add this branch’s messages to the current one", entry, c.Can.Copy)
	say := "Copies of " + components.Pluralize(messages, "message", "messages") + ", from where the branches split to this entry, are added after " + c.leafText() + "."
	return c.appendDialog(m, say, "Add messages", lines, refused)
}

// SwitchDialog returns the dialog that makes a tip the leaf.
func (c ChangeView) SwitchDialog(entry string, lines []session.Line, refused string) components.Dialog {
	m := c.newDialog("switch", "Make this branch current", entry, c.Can.Branch)
	say := "The agent continues from the end of this branch. Adds one marker line. The model never sees it."
	return c.appendDialog(m, say, "Make current", lines, refused)
}

// RepairDialog returns the dialog that makes the newest activity the leaf again.
func (c ChangeView) RepairDialog(entry string, lines []session.Line, refused string) components.Dialog {
	m := c.newDialog("repair", "Repair the end of the file", entry, c.Can.Branch)
	say := "The file ends on an abandoned branch, so the agent would continue there. One marker line after the newest entry makes it the leaf again."
	return c.appendDialog(m, say, "Repair", lines, refused)
}

// RefusedPopDialog returns the dialog of a pop that is not possible, with the reason.
func (c ChangeView) RefusedPopDialog(why string) components.Dialog {
	m := c.newDialog("pop", "Go back one prompt", "", c.Can.Branch)
	m.Reason = cmp.Or(m.Reason, why)
	return m
}

// EndLineDialog returns the dialog that ends a line which a crash left unfinished.
func (c ChangeView) EndLineDialog(torn bool) components.Dialog {
	m := c.newDialog("end-line", "End the line", "", endLineAbility(c.Can))
	if !torn && m.Reason == "" {
		m.Reason = "The last line of the file is complete."
		return m
	}
	m.Effects = []string{"The last line of the file is unfinished: its writer was stopped while writing. A line break is added after it, so that the next line starts on its own. If the line still cannot be read, it is listed as a problem, and the rest of the session is unchanged."}
	m.Submit = "End the line"
	m.Unchanged = "One byte is added. " + m.Unchanged
	return m
}

// endLineAbility returns whether a line end can be added: to files that can be branched,
// and to files of an old version, which could not be migrated otherwise.
func endLineAbility(can session.Capabilities) session.Ability {
	if can.Migrate.IsPossible() {
		return session.Ability{}
	}
	return can.Branch
}

// withLiveWarning adds a warning if the agent may be running.
func (c ChangeView) withLiveWarning(say string) []string {
	if !c.Live {
		return []string{say}
	}
	return []string{say, "The file grew within the last minute, so the agent may be running. It won't see the change until it reopens the session; its next entry becomes a sibling of it."}
}

// leafText returns a description of the leaf.
func (c ChangeView) leafText() string {
	l := c.Tree.Leaf()
	if l == session.NoPos {
		return "the start"
	}
	return "the leaf, “" + entryPhrase(c.Tree, l, 60) + "”"
}
