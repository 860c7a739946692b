package view

import (
	"strings"

	"sessiontree/internal/session"
)

// summaryRowText names the abandoned branch, or quotes the summary if the branch is not
// known.
func summaryRowText(t *session.Tree, p session.Pos, e *session.Entry, text string) rowText {
	w := rowText{class: "sum", node: "sum", text: joinColon("Branch summary", stripMarkdown(stripSummaryPreamble(text)))}
	if text == "" {
		w.meta = "empty"
	}
	tip := t.FindID(e.AbandonedID())
	if tip == session.NoPos {
		return w
	}
	if head, _, ok := abandonedBranch(t, p, tip); ok {
		if _, title := t.BranchTitle(head); t.At(title).Kind == session.KindUser {
			w.text = "Branch summary: " + branchTitle(t, head)
		}
	}
	return w
}

// stripSummaryPreamble returns a summary without the preamble for the model, with which all
// rows would begin alike.
func stripSummaryPreamble(text string) string {
	const longest = 90
	for _, end := range []string{"Summary of that exploration:", "Summary of that branch:"} {
		before, summary, ok := strings.Cut(text, end)
		if summary = strings.TrimSpace(summary); ok && len(before) < longest && summary != "" {
			return summary
		}
	}
	return text
}

func shellPromptSign(e *session.Entry) string {
	switch e.ShellName() {
	case "", "bash":
		return "$"
	case "command":
		return "›"
	}
	return oneLine(e.ShellName())
}

// compactionRowText returns the row text of a compaction, with its trigger if known.
func compactionRowText(e *session.Entry) string {
	if e.Status() == "" {
		return "Compacted"
	}
	return "Compacted, " + oneLine(e.Status())
}

// compactionTitle returns a title that distinguishes a compaction from others.
func compactionTitle(e *session.Entry) string {
	text := "Compacted"
	for _, part := range []string{compactionTokens(e.Tokens(), 0), oneLine(e.Status())} {
		if part != "" {
			text += ", " + part
		}
	}
	return text
}

// compactionTokens returns the tokens before and after a compaction.
func compactionTokens(before, after int64) string {
	switch {
	case before > 0 && after > 0:
		return formatTokens(before) + " → " + formatTokens(after) + " tokens"
	case before > 0:
		return formatTokens(before) + " tokens"
	}
	return ""
}

// tokensAfterCompaction returns the tokens counted by the first answer after a compaction,
// 0 = unknown.
func tokensAfterCompaction(t *session.Tree, p session.Pos) int64 {
	for range tokensReach {
		c := t.Children(p)
		if len(c) == 0 {
			return 0
		}
		p = c[len(c)-1]
		if e := t.At(p); e.Kind == session.KindAssistant && e.Tokens() > 0 {
			return e.Tokens()
		} else if e.Kind == session.KindCompaction {
			return 0
		}
	}
	return 0
}
