package claude

import (
	"fmt"
	"slices"
	"strings"

	"sessiontree/internal/session"
)

// describeOmitted describes what the new file does not hold.
func (c *fileCopier) describeOmitted() string {
	var all []string
	if n := len(c.otherSessions) + 1; n > 1 {
		all = append(all, fmt.Sprintf("The file holds %d sessions, each with an id of its own; Claude Code opens the one that the file is named after.", n))
	}
	if c.omitsAgentWork() {
		all = append(all, "Sub-agents outside the path are left out. Export a subtree or the whole tree to include them.")
	}
	if n, what := c.countMetadataLines(); n == 1 {
		all = append(all, fmt.Sprintf("One line outside the conversation (%s) is left out.", what))
	} else if n > 1 {
		all = append(all, fmt.Sprintf("%d lines outside the conversation (%s) are left out.", n, what))
	}
	if c.missingParents == 1 {
		all = append(all, "The parent of one entry is in none of the files. Its id is left out.")
	} else if c.missingParents > 1 {
		all = append(all, fmt.Sprintf("The parents of %d entries are in none of the files. Their ids are left out.", c.missingParents))
	}
	if n := c.countWorkflowNames(); n > 0 {
		all = append(all, "The names that a workflow gave its agents are left out: they are in a separate file.")
	}
	return strings.Join(all, " ")
}

// countMetadataLines counts the omitted lines without an id that the trailer does not replace, and
// lists their types.
func (c *fileCopier) countMetadataLines() (n int, types string) {
	var all []string
	name := c.sessionName()
	for _, p := range c.keep {
		x, role := c.factsAt(p), c.tree.At(p).Role
		_, other := c.otherSessions[x.baseSession()]
		if x.hasID || role == "last-prompt" || name != "" && !other && (x.title != "" || x.aiTitle != "" || x.summary == name) {
			continue
		}
		if n++; !slices.Contains(all, role) {
			all = append(all, role)
		}
	}
	return n, strings.Join(all, ", ")
}

// countWorkflowNames counts the agents that were named by a workflow.
func (c *fileCopier) countWorkflowNames() (n int) {
	for _, l := range c.tree.Threads().All() {
		if l.Agent == "" || l.Branch || l.Title == "" || l.At == session.NoPos || !c.copied[c.factsAt(l.Entries[0]).ID] {
			continue
		}
		if up := c.factsAt(l.At); c.copied[up.ID] && (up.Run != "" || up.Task != "") {
			n++
		}
	}
	return n
}

// omitsAgentWork reports whether a copied entry has children of an agent that are not copied.
func (c *fileCopier) omitsAgentWork() bool {
	for _, p := range c.keep {
		above := c.factsAt(p)
		for _, kid := range c.tree.Children(p) {
			x := c.factsAt(kid)
			if goesOn := above.isAgentLine() && above.Agent == x.Agent; x.hasID && x.isAgentLine() && !c.copied[x.ID] && !goesOn {
				return true
			}
		}
	}
	return false
}
