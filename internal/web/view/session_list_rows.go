package view

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/rowtext"
	"sessiontree/web/components"
)

// listWindow is the range of rows to build, from index at up to end.
type listWindow struct {
	at, end int
	open    bool // open folded rows, because they match a query
}

// buildFolderGroups groups sessions by working directory, in the order of their first
// sessions, and builds the rows of a window. Folded sessions are one line at the end of
// their group. Groups with folded sessions only come last.
func buildFolderGroups(c Config, all []catalog.Summary, list, folded []*catalog.Summary, w listWindow, now time.Time) []components.FolderGroup {
	parents := parentKeys(all)
	folds := map[string][]*catalog.Summary{}
	for _, s := range folded {
		folds[s.Cwd] = append(folds[s.Cwd], s)
	}
	var groups []components.FolderGroup
	i := 0
	for _, own := range groupByFolder(list) {
		g := newFolderGroup(c, own[0].Cwd, len(own))
		cost := 0.0
		for _, s := range own {
			cost += s.Cost
			if i >= w.at && i < w.end {
				g.Rows = append(g.Rows, buildSessionRow(c, s, parents, now))
			}
			i++
		}
		g.Cost = formatDollars(cost)
		if i > w.at && i <= w.end {
			g.Folded = buildFoldedRows(c, folds[own[0].Cwd], parents, w.open, now)
		}
		delete(folds, own[0].Cwd)
		if len(g.Rows) > 0 {
			groups = append(groups, g)
		}
	}
	if w.at > len(list) || w.end < len(list) {
		return groups
	}
	for _, own := range groupByFolder(folded) {
		if cwd := own[0].Cwd; folds[cwd] != nil {
			g := newFolderGroup(c, cwd, 0)
			g.Folded = buildFoldedRows(c, own, parents, w.open, now)
			groups = append(groups, g)
		}
	}
	return groups
}

func newFolderGroup(c Config, cwd string, sessions int) components.FolderGroup {
	return components.FolderGroup{Name: cmp.Or(escapeInvisible(lastPathElement(cwd)), "No folder"), Cwd: escapeInvisible(homePath(cwd, c.Home)), Sessions: sessions}
}

// groupByFolder groups sessions by their working directories.
func groupByFolder(list []*catalog.Summary) [][]*catalog.Summary {
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

// lastRowAnchor returns the URL fragment of the last row.
func lastRowAnchor(groups []components.FolderGroup) string {
	if len(groups) == 0 {
		return ""
	}
	rows := groups[len(groups)-1].Rows
	return "#s-" + rows[len(rows)-1].Key
}

// parentKeys maps the paths and ids of sessions, which others record as their parent, to
// keys.
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

func buildSessionRow(c Config, s *catalog.Summary, parents map[string]string, now time.Time) components.SessionRow {
	r := components.SessionRow{
		Key:         s.Key,
		Href:        sessionURL(s.Key),
		Title:       summaryTitle(s),
		Format:      s.Format,
		FormatTitle: c.TitleOfFormat(s.Format),
		FormatGlyph: c.GlyphOfFormat(s.Format),
		Model:       oneLine(s.Model),
		Cost:        formatDollars(s.Cost),
		Messages:    s.Messages,
		Forks:       s.Branches,
		Agents:      s.Agents,
		Labels:      s.Labels,
		Notes:       s.Notes,
		Damage:      s.Damage,
		Live:        isSummaryLive(s, now),
		Active:      c.timeModel(s.Modified),
		Shape:       drawSessionShape(s.Shape, s.Entries),
	}
	if s.Name != "" {
		r.Subtitle = oneLine(rowtext.Cut(s.FirstMessage, maxRowRunes))
	}
	if key := parents[s.Parent]; s.Parent != "" && key != "" && key != s.Key {
		r.ForkedFrom = sessionURL(key)
	}
	return r
}

func summaryTitle(s *catalog.Summary) string {
	name := cmp.Or(oneLine(rowtext.Cut(cmp.Or(s.Name, s.FirstMessage), maxRowRunes)), oneLine(s.ID), fileTitle(s.Path))
	if s.Orphaned {
		return "Sub-agents (parent session deleted): " + name
	}
	return name
}

// fileTitle returns the title of a session of which only the file is known.
func fileTitle(path string) string {
	return oneLine(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
}

// listChips returns the filters of the list, each with its number of sessions among those
// that match the query.
func listChips(c Config, found []*catalog.Summary, p SessionListParams, now time.Time) []components.Chip {
	formats := map[string]int{}
	live, branches, labeled := 0, 0, 0
	for _, s := range found {
		formats[s.Format]++
		live += boolToInt(isSummaryLive(s, now))
		branches += boolToInt(s.Branches > 0)
		labeled += boolToInt(s.Labels > 0)
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
		chips = append(chips, components.Chip{Name: "format-" + name, Text: c.TitleOfFormat(name), Href: one.Href(), Count: formats[name], On: p.Format == name, Group: "format"})
	}
	flip := func(name, text, icon string, count int, on bool, set func(*SessionListParams)) {
		one := p
		set(&one)
		chips = append(chips, components.Chip{Name: name, Text: text, Href: one.Href(), Count: count, On: on, Icon: icon, Group: "state"})
	}
	flip("live", "Live", "live", live, p.Live, func(q *SessionListParams) { q.Live = !q.Live })
	flip("branches", "Has branches", "branch", branches, p.Branches, func(q *SessionListParams) { q.Branches = !q.Branches })
	flip("labeled", "Labeled", "label", labeled, p.Labeled, func(q *SessionListParams) { q.Labeled = !q.Labeled })
	return chips
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func sortChips(p SessionListParams) []components.Chip {
	var chips []components.Chip
	for _, s := range sortOptions {
		one := p
		one.Sort = s.name
		chips = append(chips, components.Chip{Name: s.name, Text: s.text, Href: one.Href(), Count: -1, On: p.Sort == s.name})
	}
	return chips
}
