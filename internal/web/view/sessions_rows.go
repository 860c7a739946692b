package view

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sessiontree/internal/session/catalog"
	"sessiontree/web/components"
)

// rowWindow is which rows of the list are made: those from index at up to end.
type rowWindow struct {
	at, end int
	open    bool // folded rows are unfolded: they were searched for
}

// groups puts sessions under their working directories, in the order of the first
// session of each, and makes the rows of a window. Folded sessions are one line at
// the end of their group; groups of nothing else come last.
func (b *Builder) groups(all []catalog.Summary, list, folded []*catalog.Summary, w rowWindow, now time.Time) []components.Group {
	parents := parentKeys(all)
	folds := map[string][]*catalog.Summary{}
	for _, s := range folded {
		folds[s.Cwd] = append(folds[s.Cwd], s)
	}
	var groups []components.Group
	i := 0
	for _, own := range byFolder(list) {
		g := b.group(own[0].Cwd, len(own))
		cost := 0.0
		for _, s := range own {
			cost += s.Cost
			if i >= w.at && i < w.end {
				g.Rows = append(g.Rows, b.sessionRow(s, parents, now))
			}
			i++
		}
		g.Cost = dollars(cost)
		if i > w.at && i <= w.end {
			g.Folded = b.foldedRows(folds[own[0].Cwd], parents, w.open, now)
		}
		delete(folds, own[0].Cwd)
		if len(g.Rows) > 0 {
			groups = append(groups, g)
		}
	}
	if w.at > len(list) || w.end < len(list) {
		return groups
	}
	for _, own := range byFolder(folded) {
		if cwd := own[0].Cwd; folds[cwd] != nil {
			g := b.group(cwd, 0)
			g.Folded = b.foldedRows(own, parents, w.open, now)
			groups = append(groups, g)
		}
	}
	return groups
}

func (b *Builder) group(cwd string, sessions int) components.Group {
	return components.Group{Name: orWord(visible(project(cwd)), "No folder"), Cwd: visible(homePath(cwd, b.home)), Sessions: sessions}
}

// byFolder divides sessions by their working directories.
func byFolder(list []*catalog.Summary) [][]*catalog.Summary {
	var folders [][]*catalog.Summary
	at := map[string]int{}
	for _, s := range list {
		i, ok := at[s.Cwd]
		if !ok {
			i = len(folders)
			at[s.Cwd] = i
			folders = append(folders, nil)
		}
		folders[i] = append(folders[i], s)
	}
	return folders
}

// lastRow is the place on the page of the last row, where a reader goes on.
func lastRow(groups []components.Group) string {
	if len(groups) == 0 {
		return ""
	}
	rows := groups[len(groups)-1].Rows
	return "#s-" + rows[len(rows)-1].Key
}

// parentKeys finds sessions by what others record as their parent: path or id.
func parentKeys(all []catalog.Summary) map[string]string {
	keys := make(map[string]string, 2*len(all))
	for i := range all {
		keys[all[i].ID] = all[i].Key
	}
	for i := range all {
		keys[all[i].Path] = all[i].Key
	}
	return keys
}

func (b *Builder) sessionRow(s *catalog.Summary, parents map[string]string, now time.Time) components.SessionRow {
	r := components.SessionRow{
		Key:         s.Key,
		Href:        sessionURL(s.Key),
		Title:       title(s),
		Format:      s.Format,
		FormatTitle: b.formatTitle(s.Format),
		FormatGlyph: b.formatGlyph(s.Format),
		Model:       oneLine(s.Model),
		Cost:        dollars(s.Cost),
		Messages:    s.Messages,
		Forks:       s.Branches,
		Agents:      s.Agents,
		Labels:      s.Labels,
		Notes:       s.Notes,
		Live:        isLive(s, now),
		Active:      b.clock(s.Modified),
		Shape:       shape(s.Shape, s.Entries),
	}
	if s.Name != "" {
		r.Subtitle = oneLine(cutRunes(s.FirstMessage, rowRunes))
	}
	if key := parents[s.Parent]; s.Parent != "" && key != "" && key != s.Key {
		r.ForkedFrom = sessionURL(key)
	}
	return r
}

func title(s *catalog.Summary) string {
	name := orWord(orWord(oneLine(cutRunes(orWord(s.Name, s.FirstMessage), rowRunes)), oneLine(s.ID)), fileTitle(s.Path))
	if s.Lost {
		return "Sub-agents (parent session deleted): " + name
	}
	return name
}

// fileTitle names a session of which nothing but its file is known.
func fileTitle(path string) string {
	return oneLine(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
}

// indexChips are the filters of the index, with how many sessions each would
// leave of those that match the query.
func (b *Builder) indexChips(found []*catalog.Summary, p SessionsParams, now time.Time) []components.Chip {
	formats := map[string]int{}
	live, branches, labeled := 0, 0, 0
	for _, s := range found {
		formats[s.Format]++
		live += oneIf(isLive(s, now))
		branches += oneIf(s.Branches > 0)
		labeled += oneIf(s.Labels > 0)
	}
	all := p
	all.Format, all.Live, all.Branches, all.Labeled = "", false, false, false
	chips := []components.Chip{{Name: "all", Text: "All", Href: all.Href(), Count: len(found), On: p == all, Group: "format"}}
	names := slices.SortedFunc(maps.Keys(formats), func(a, b string) int {
		return cmp.Or(cmp.Compare(formats[b], formats[a]), strings.Compare(a, b))
	})
	for _, name := range names {
		one := p
		one.Format = name
		if p.Format == name {
			one.Format = ""
		}
		chips = append(chips, components.Chip{Name: "format-" + name, Text: b.formatTitle(name), Href: one.Href(), Count: formats[name], On: p.Format == name, Group: "format"})
	}
	flip := func(name, text, icon string, count int, on bool, set func(*SessionsParams)) {
		one := p
		set(&one)
		chips = append(chips, components.Chip{Name: name, Text: text, Href: one.Href(), Count: count, On: on, Icon: icon, Group: "state"})
	}
	flip("live", "Live", "live", live, p.Live, func(q *SessionsParams) { q.Live = !q.Live })
	flip("branches", "Has branches", "branch", branches, p.Branches, func(q *SessionsParams) { q.Branches = !q.Branches })
	flip("labeled", "Labeled", "label", labeled, p.Labeled, func(q *SessionsParams) { q.Labeled = !q.Labeled })
	return chips
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

func sortChips(p SessionsParams) []components.Chip {
	var chips []components.Chip
	for _, s := range sortTexts {
		one := p
		one.Sort = s.name
		chips = append(chips, components.Chip{Name: s.name, Text: s.text, Href: one.Href(), Count: -1, On: p.Sort == s.name})
	}
	return chips
}
