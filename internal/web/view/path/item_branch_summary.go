package path

import (
	"sessiontree/web/components"
)

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
