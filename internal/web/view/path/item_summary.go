package path

import (
	"strings"

	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// compactionItem returns the item of a compaction.
func (ib *itemBuilder) compactionItem(i int) *components.CompactionItem {
	e := &ib.page.entries[i]
	m := &components.CompactionItem{EntryHead: ib.newHead(e), Title: "Compacted", Blocks: ib.blocks.buildBlocks(i)}
	switch {
	case e.Tokens() > 0 && e.tokensAfter > 0:
		m.Title += " " + view.FormatTokens(e.Tokens()) + " tokens to " + view.FormatTokens(e.tokensAfter)
	case e.Tokens() > 0:
		m.Title += " " + view.FormatTokens(e.Tokens()) + " tokens"
	}
	m.Detail = view.OneLine(e.Status())
	if e.coveredEntries > 0 {
		m.Detail = strings.TrimPrefix(m.Detail+", "+components.Pluralize(e.coveredEntries, "entry", "entries")+" summarised", ", ")
	}
	m.Detail = joinNonEmpty([]string{m.Detail, otherRequestsText(e)})
	return m
}

// branchSummaryItem returns the item of a branch summary.
func (ib *itemBuilder) branchSummaryItem(i int) *components.BranchSummaryItem {
	e := &ib.page.entries[i]
	m := &components.BranchSummaryItem{EntryHead: ib.newHead(e), Title: "Branch summary", Blocks: ib.blocks.buildBlocks(i)}
	if e.targetText != "" {
		m.Detail = "from “" + e.targetText + "”, " + components.Pluralize(e.coveredEntries, "entry", "entries")
	}
	if len(m.Blocks) == 0 {
		m.Blocks = []components.BlockModel{{Kind: "text", Text: "A branch was abandoned here without a summary."}}
	}
	return m
}
