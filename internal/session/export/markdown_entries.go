package export

import (
	"fmt"
	"strings"
	"time"

	"sessiontree/internal/session"
)

// writeGroup renders an answer with its tool results folded under their calls, or another
// entry.
func (w *markdownWriter) writeGroup(all []loadedStep) {
	results, had := map[string]*loadedStep{}, map[*loadedStep]bool{}
	for i := range all[1:] {
		if r := &all[1+i]; r.kind == session.KindToolResult && results[r.call] == nil {
			results[r.call] = r
		}
	}
	for i := range all {
		x := &all[i]
		if had[x] {
			w.writeLabel(x)
			continue
		}
		w.writeBranchHeading(x)
		for _, b := range x.body.Blocks {
			if b.Kind != session.BlockToolCall || x.kind == session.KindShell {
				continue
			}
			if r := results[b.ID]; r != nil {
				had[r] = true
			}
		}
		w.writeEntry(x, results)
		w.writeBranchPoint(x)
	}
}

// writeBranchHeading writes the heading of a branch.
func (w *markdownWriter) writeBranchHeading(x *loadedStep) {
	if b := x.branch; b.of > 0 {
		fmt.Fprintf(w, "## Branch %d of %d at branch point %d\n\n", b.n, b.of, b.point)
		w.speaker = ""
	}
}

// writeLabel writes the label of an entry without a heading, and its branch point.
func (w *markdownWriter) writeLabel(x *loadedStep) {
	if x.label != "" {
		fmt.Fprintf(w, "**Label: %s**\n\n", escapeInline(w.redactText(x.label)))
	}
	w.writeBranchPoint(x)
}

// writeBranchPoint writes which branch point an entry is.
func (w *markdownWriter) writeBranchPoint(x *loadedStep) {
	if x.branchPoint > 0 {
		fmt.Fprintf(w, "**Branch point %d:** %d branches continue from here.\n\n", x.branchPoint, x.branches)
	}
	if x.omittedBranches > 0 {
		fmt.Fprintf(w, "*%s from here %s not part of this export.*\n\n", pluralize(x.omittedBranches, "more branch", "more branches"), map[bool]string{true: "is", false: "are"}[x.omittedBranches == 1])
	}
}

// writeSpeaker writes a heading unless the same author continues.
func (w *markdownWriter) writeSpeaker(x *loadedStep, who string) {
	if w.speaker != who || x.label != "" || who == userSpeaker {
		w.WriteString("### " + escapeInline(who))
		if x.entry.Time != session.NoTime {
			w.WriteString(", " + time.UnixMilli(x.entry.Time).UTC().Format("2006-01-02 15:04 UTC"))
		}
		w.WriteString("\n\n")
	}
	if w.speaker = who; x.label != "" {
		fmt.Fprintf(w, "**Label: %s**\n\n", escapeInline(w.redactText(x.label)))
	}
}

const userSpeaker = "You"

// writeEntry renders an entry. It omits settings and state.
func (w *markdownWriter) writeEntry(x *loadedStep, results map[string]*loadedStep) {
	e := x.entry
	switch {
	case x.kind == session.KindUser:
		w.writeSpeaker(x, userSpeaker)
		w.writeBlocks(x, results)
	case x.kind == session.KindAssistant:
		w.writeSpeaker(x, strings.TrimSpace("Answer "+e.ModelID()))
		w.writeBlocks(x, results)
	case x.kind == session.KindToolResult:
		w.writeLabel(&loadedStep{label: x.label})
		w.writeDetails("Result of "+e.ToolName(), e.Status(), w.toolOutput(x.body))
	case x.kind == session.KindShell:
		w.writeSpeaker(x, userSpeaker)
		w.writeDetails("Command", e.Status(), w.shellCommand(x.body)+w.toolOutput(x.body))
	case x.kind == session.KindCompaction, x.kind == session.KindBranchSummary:
		w.writeSummary(x)
	case x.kind == session.KindSystem:
		w.writeLabel(&loadedStep{label: x.label})
		w.writeDetails("System prompt", "", w.bodyMarkdown(x.body))
	case e.HasFlag(session.FlagHidden), x.kind.IsBookkeeping():
		w.writeLabel(&loadedStep{label: x.label})
	default:
		w.writeSpeaker(x, strings.TrimSpace(e.Role+" "+e.Name))
		w.writeBlocks(x, results)
	}
}

// writeSummary renders a compaction or a branch summary.
func (w *markdownWriter) writeSummary(x *loadedStep) {
	head := "Compacted"
	if x.kind == session.KindBranchSummary {
		head = "Summary of an abandoned branch"
	} else if n := x.entry.Tokens(); n > 0 {
		head += fmt.Sprintf(" from %d tokens", n)
	}
	w.speaker = ""
	fmt.Fprintf(w, "---\n\n")
	w.writeLabel(&loadedStep{label: x.label})
	w.writeDetails(head, "", w.bodyMarkdown(x.body))
	w.WriteString("---\n\n")
}

// writeBlocks renders the blocks of a body in order. It omits thinking.
func (w *markdownWriter) writeBlocks(x *loadedStep, results map[string]*loadedStep) {
	for _, b := range x.body.Blocks {
		switch b.Kind {
		case session.BlockText:
			w.WriteString(w.markdownText(b) + "\n\n")
		case session.BlockToolCall:
			w.writeCall(b, results[b.ID])
		case session.BlockImage:
			fmt.Fprintf(w, "*(image %s)*\n\n", escapeInline(b.Name))
		case session.BlockError:
			fmt.Fprintf(w, "**Error:** %s\n\n", escapeInline(w.redactText(removeControls(b.Text))))
		case session.BlockFile, session.BlockInjected:
			w.writeDetails(b.Name, "", codeFence("", w.shortenOutput(b.Text)))
		case session.BlockOutput, session.BlockDiff:
			w.writeDetails("Output", "", w.toolOutput(session.Body{Blocks: []session.Block{b}}))
		}
	}
}

// markdownText renders a text block that is Markdown itself.
func (w *markdownWriter) markdownText(b session.Block) string {
	md := neutralizeHTML(w.redactText(removeControls(b.Text)))
	if b.Name != "" {
		md = "**" + escapeInline(b.Name) + "**\n\n" + md
	}
	return md
}

// bodyMarkdown renders the text blocks of a body.
func (w *markdownWriter) bodyMarkdown(body session.Body) string {
	var all []string
	for _, b := range body.Blocks {
		if b.Kind == session.BlockText {
			all = append(all, w.markdownText(b))
		}
	}
	return strings.Join(all, "\n\n") + "\n"
}
