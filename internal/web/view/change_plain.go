package view

import (
	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// neutral fills a dialog that adds lines at the leaf. One that is refused says why,
// and not what it would do.
func (c Change) neutral(m components.Dialog, say, submit string, lines []session.Line, refused string) components.Dialog {
	m.Reason = orWord(m.Reason, refused)
	m.Hidden = append(m.Hidden, c.seenLeaf())
	if m.Reason == "" {
		m.Say = c.awake(say)
	}
	m.Lines, m.Submit = c.lines(m.Action, lines), submit
	return m
}

// Pick is the dialog that copies an entry onto the leaf. refused is why it cannot
// be done as things are.
func (b *Builder) Pick(c Change, entry string, lines []session.Line, refused string) components.Dialog {
	m := b.dialog(c, "cherry-pick", "Copy this entry onto the leaf", entry, c.Can.Copy)
	say := "A copy of it is added after " + c.leafName() + ", with a line that tells where it came from. The agent reads it as part of its conversation."
	return c.neutral(m, say, "Copy onto the leaf", lines, refused)
}

// Merge is the dialog that copies what was said on another branch onto the leaf.
func (b *Builder) Merge(c Change, entry string, messages int, lines []session.Line, refused string) components.Dialog {
	m := b.dialog(c, "merge", "Merge this branch’s messages", entry, c.Can.Copy)
	say := "Copies of " + plural(messages, "message", "messages") + ", from where the branches part to this entry, are added after " + c.leafName() + "."
	return c.neutral(m, say, "Merge onto the leaf", lines, refused)
}

// Switch is the dialog that makes a tip the leaf.
func (b *Builder) Switch(c Change, entry string, lines []session.Line, refused string) components.Dialog {
	m := b.dialog(c, "switch", "Make this branch current", entry, c.Can.Branch)
	say := "The agent goes on from the end of this branch. One neutral line under it makes it the leaf; the model never sees that line."
	return c.neutral(m, say, "Make current", lines, refused)
}

// Repair is the dialog that gives the leaf back to the newest activity.
func (b *Builder) Repair(c Change, entry string, lines []session.Line, refused string) components.Dialog {
	m := b.dialog(c, "repair", "Repair the end of the file", entry, c.Can.Branch)
	say := "The file ends on a branch that was left, so the agent would go on there. One neutral line under the newest entry makes that the leaf again."
	return c.neutral(m, say, "Repair", lines, refused)
}

// NoPop is what stands for the dialog of a pop where there is nothing to pop.
func (b *Builder) NoPop(c Change, why string) components.Dialog {
	m := b.dialog(c, "pop", "Pop to the previous prompt", "", c.Can.Branch)
	m.Reason = orWord(m.Reason, why)
	return m
}

// EndLine is the dialog that ends a line which a crash left unfinished.
func (b *Builder) EndLine(c Change, torn bool) components.Dialog {
	m := b.dialog(c, "end-line", "End the line", "", endable(c.Can))
	if !torn && m.Reason == "" {
		m.Reason = "The last line of the file is finished."
		return m
	}
	m.Say = []string{"The last line of the file is not finished: whoever wrote it was stopped while writing. A line end is added after it, so that the next line stands by itself. If the line cannot be read then, it is listed among the notes, and the rest of the session is as it was."}
	m.Submit = "End the line"
	m.Safe = "One byte is added. " + m.Safe
	return m
}

// endable: a line end can be added to whatever can be branched, and to a file of an
// old version, which could not be migrated without.
func endable(can session.Capabilities) session.Ability {
	if can.Migrate.Can() {
		return session.Ability{}
	}
	return can.Branch
}

// awake adds what to say of an agent that may be running.
func (c Change) awake(say string) []string {
	if !c.Live {
		return []string{say}
	}
	return []string{say, "The file grew within the last minute, so the agent may be running. It does not notice a change until it opens the session again, and what it writes next becomes a sibling of it."}
}

// leafName is the leaf in words.
func (c Change) leafName() string {
	l := c.Tree.Leaf()
	if l == session.NoPos {
		return "the start"
	}
	return "the leaf, “" + inWords(c.Tree, l, 60) + "”"
}
