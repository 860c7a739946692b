package viewtest

import (
	"fmt"
	"strings"

	"sessiontree/web/components"
)

// Item describes an item of any kind. Kind is the suffix of its CSS class.
type Item struct {
	components.EntryHead
	Kind, Icon, Who, Title, Detail, Error string
	Folded                                bool
	Also                                  []components.NotePart
	Blocks                                []components.BlockModel
	Tools                                 []components.ToolModel
	Switch                                *components.SwitchModel
	Foot                                  *components.AnswerFoot
}

// DescribeItems describes the items of a path.
func DescribeItems(items []components.Item) []Item {
	out := make([]Item, len(items))
	for i, it := range items {
		out[i] = describeItem(it)
	}
	return out
}

func describeItem(it components.Item) Item {
	switch m := it.(type) {
	case *components.UserItem:
		return describePrompt(m)
	case *components.AnswerItem:
		return Item{Kind: "asst", EntryHead: m.EntryHead, Also: noteParts(m.Also), Blocks: m.Blocks, Error: m.Error, Foot: m.Foot}
	case *components.ToolGroup:
		return Item{Kind: "tools", EntryHead: components.EntryHead{ItemHead: m.ItemHead}, Tools: m.Tools}
	case *components.BranchSwitcher:
		return Item{Kind: "fork", EntryHead: components.EntryHead{ItemHead: m.ItemHead}, Switch: &m.SwitchModel}
	case *components.CompactionItem:
		return Item{Kind: "pack", EntryHead: m.EntryHead, Title: m.Title, Detail: m.Detail, Blocks: m.Blocks}
	case *components.BranchSummaryItem:
		return Item{Kind: "sum", EntryHead: m.EntryHead, Title: m.Title, Detail: m.Detail, Blocks: m.Blocks}
	case *components.NoteItem:
		return describeNote(m)
	case *components.ThreadLink:
		return describeThreadLink(m)
	case *components.SystemItem:
		return describeCard("system", &m.Card)
	case *components.CustomItem:
		return describeCard("custom", &m.Card)
	case *components.ShellItem:
		return describeCard("shell", &m.Card)
	case *components.MessageItem:
		return describeCard("message", &m.Card)
	case *components.PathEnd:
		kind := "end"
		if m.Leaf {
			kind = "leaf"
		}
		it := Item{Kind: kind, EntryHead: components.EntryHead{ItemHead: m.ItemHead}, Title: m.Title, Detail: m.Detail}
		if m.Hidden != nil {
			it.Pairs = []components.Pair{{Name: "hidden", Value: m.Hidden.Text}}
		}
		return it
	}
	panic(fmt.Sprintf("an item of type %T", it))
}

// describePrompt describes what is attached to a prompt as parts of it.
func describePrompt(m *components.UserItem) Item {
	it := Item{Kind: "user", EntryHead: m.EntryHead, Who: m.Who, Detail: m.Detail, Also: noteParts(m.Also), Blocks: append(m.Blocks, m.Images...)}
	for _, c := range m.Files {
		it.Blocks = append(it.Blocks, c.Blocks...)
		for _, id := range c.Entries {
			it.Also = append(it.Also, components.NotePart{Entry: id, Title: c.Title, Detail: c.Detail})
		}
	}
	return it
}

// describeNote describes the chips of a note as parts of its line.
func describeNote(m *components.NoteItem) Item {
	it := Item{Kind: "note", EntryHead: m.EntryHead, Icon: m.Icon, Title: m.Title, Detail: m.Detail, Also: m.Also, Blocks: m.Blocks}
	if len(m.Chips) == 0 {
		return it
	}
	it.Icon, it.Title, it.Detail, it.Blocks = m.Chips[0].Icon, m.Chips[0].Title, m.Chips[0].Detail, nil
	for i, c := range m.Chips {
		it.Blocks = append(it.Blocks, c.Blocks...)
		for k, id := range c.Entries {
			if i+k > 0 {
				it.Also = append(it.Also, components.NotePart{Entry: id, Title: c.Title, Detail: c.Detail})
			}
		}
	}
	return it
}

func describeThreadLink(m *components.ThreadLink) Item {
	it := Item{Kind: "join", EntryHead: components.EntryHead{ItemHead: m.ItemHead, Edited: m.Relation, Edit: m.Other}, Icon: m.Icon, Title: m.Title, Detail: m.Detail, Error: m.Warning}
	if m.Failed != "" {
		it.Pairs = append(it.Pairs, components.Pair{Name: "failed", Value: m.Failed})
	}
	if len(m.Facts) > 0 && m.Detail == "" {
		it.Detail = strings.Join(append(m.Facts, m.FactsAfter...), ", ")
	}
	if m.Within != "" {
		it.Pairs = []components.Pair{{Name: "in", Value: m.Within}}
	}
	return it
}

func describeCard(kind string, m *components.Card) Item {
	return Item{Kind: kind, EntryHead: m.EntryHead, Who: m.Who, Title: m.Title, Detail: m.Detail, Folded: m.Folded, Also: noteParts(m.Also), Blocks: m.Blocks}
}

func noteParts(ids []string) []components.NotePart {
	var parts []components.NotePart
	for _, id := range ids {
		parts = append(parts, components.NotePart{Entry: id})
	}
	return parts
}
