package view

import (
	"strings"

	"sessiontree/internal/session"
)

// summaryRowText names the abandoned branch, or quotes the summary if the branch is not
// known.
func summaryRowText(t *session.Tree, p session.Pos, e *session.Entry, text string) rowText {
	w := rowText{Class: "summary", Node: "summary", Text: JoinColon("Branch summary", stripMarkdown(stripSummaryPreamble(text)))}
	if text == "" {
		w.Meta = "empty"
	}
	tip := t.FindID(e.AbandonedID())
	if tip == session.NoPos {
		return w
	}
	if head, _, ok := AbandonedBranch(t, p, tip); ok {
		if _, title := t.BranchTitle(head); t.At(title).Kind == session.KindUser {
			w.Text = "Branch summary: " + BranchTitle(t, head)
		}
	}
	return w
}

// stripSummaryPreamble returns a summary without the preamble for the model. All rows of summaries
// would begin with it.
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
	return OneLine(e.ShellName())
}

// compactionRowText returns the row text of a compaction, with its trigger if known.
func compactionRowText(e *session.Entry) string {
	if e.Status() == "" {
		return "Compacted"
	}
	return "Compacted, " + OneLine(e.Status())
}

// CompactionTitle returns a title that distinguishes a compaction from others.
func CompactionTitle(e *session.Entry) string {
	text := "Compacted"
	for _, part := range []string{compactionTokens(e.Tokens(), 0), OneLine(e.Status())} {
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
		return FormatTokens(before) + " → " + FormatTokens(after) + " tokens"
	case before > 0:
		return FormatTokens(before) + " tokens"
	}
	return ""
}

// TokensAfterCompaction returns the tokens counted by the first answer after a compaction,
// 0 = unknown.
func TokensAfterCompaction(t *session.Tree, p session.Pos) int64 {
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

// maxAbandonedEntries limits how far back an abandoned branch is followed.
const maxAbandonedEntries = 4096

// AbandonedBranch returns the first entry of the branch that is summarized at p and ends
// at tip, and its number of entries. ok is false if tip is not on a sibling branch of p,
// since some files record another entry there.
func AbandonedBranch(t *session.Tree, p, tip session.Pos) (head session.Pos, entries int, ok bool) {
	fork := t.Parent(p)
	for q := tip; entries < maxAbandonedEntries; q = t.Parent(q) {
		if q == fork || q == session.NoPos {
			return head, entries, q == fork && entries > 0
		}
		head = q
		entries++
	}
	return head, entries, false
}
