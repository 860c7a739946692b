// Package palette builds what the command palette offers besides commands: sessions, and
// the entries and labels of the session that is shown.
package palette

import (
	"slices"
	"strings"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/index"
)

// maxChoices limits the choices of a group. The page ranks them and shows the best.
const maxChoices = 25

// maxTextRunes limits the length of a text.
const maxTextRunes = 160

// Choices are the choices for a query, in groups.
type Choices struct {
	Entries  Group `json:"entries"`
	Labels   Group `json:"labels"`
	Sessions Group `json:"sessions"`
}

// Group is the choices of one kind.
type Group struct {
	Total int      `json:"total"` // also those that are not listed
	Items []Choice `json:"items"`
}

// Choice is something to open.
type Choice struct {
	Name   string `json:"name"`
	Detail string `json:"detail,omitempty"`
	Icon   string `json:"icon"`
	Href   string `json:"href"`
	Time   string `json:"time,omitempty"` // RFC 3339, "" = unknown
}

func (g *Group) add(c Choice) {
	g.Total++
	if len(g.Items) < maxChoices {
		g.Items = append(g.Items, c)
	}
}

// FindSessions returns the sessions whose title, prompt, directory or model contain every
// word of a query, the latest first.
func FindSessions(c view.Config, all []catalog.Summary, query string) Group {
	g := Group{Items: []Choice{}}
	found := index.MatchSessions(all, query)
	slices.SortStableFunc(found, func(a, b *catalog.Summary) int { return b.Modified.Compare(a.Modified) })
	for _, s := range found {
		if s.Messages == 0 || s.Orphaned {
			continue
		}
		choice := Choice{Name: view.OneLine(s.Name), Detail: cutText(s.FirstMessage), Icon: "tree", Href: view.SessionURL(s.Key), Time: formatTime(c, s.Modified)}
		if choice.Name == "" {
			choice.Name, choice.Detail = choice.Detail, ""
		}
		if choice.Name == "" {
			choice.Name = s.ID
		}
		if choice.Detail == "" || !containsAny(choice.Name+" "+choice.Detail, query) {
			choice.Detail = view.ProjectNameOfDir(s.Cwd)
		}
		g.add(choice)
	}
	return g
}

// containsAny reports whether text contains a word of a query.
func containsAny(text, query string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(view.SplitQuery(query), func(w string) bool { return strings.Contains(text, w) })
}

// entryNames are the kinds of entries that are offered, with their icons.
var entryNames = map[session.Kind]struct{ name, icon string }{
	session.KindUser:          {"Prompt", "user"},
	session.KindAssistant:     {"Answer", "session"},
	session.KindBranchSummary: {"Branch summary", "sum"},
}

// FindEntries returns the prompts, answers and branch summaries whose text contains every
// word of a query, prompts first and the latest first.
func FindEntries(s view.Scene, query string) Group {
	g, words := Group{Items: []Choice{}}, session.ParseQuery(query)
	if len(words) == 0 {
		return g
	}
	onPath := s.Tree.LeafPath()
	for _, prompts := range []bool{true, false} {
		for p := session.Pos(s.Tree.Len() - 1); p >= 0; p-- {
			e := s.Tree.At(p)
			kind, offered := entryNames[e.Kind]
			if !offered || (e.Kind == session.KindUser) != prompts || !words.MatchesText(e.Preview) {
				continue
			}
			choice := entryChoice(s, p, cutText(e.Preview), kind.icon)
			choice.Detail = kind.name
			if !onPath.Has(p) {
				choice.Detail += ", another branch"
			}
			g.add(choice)
		}
	}
	return g
}

// FindLabels returns the labels that contain every word of a query, or whose entries do.
func FindLabels(s view.Scene, query string) Group {
	g, words := Group{Items: []Choice{}}, session.ParseQuery(query)
	if len(words) == 0 {
		return g
	}
	for _, l := range s.Tree.Labels() {
		text := view.EntryText(s.Tree, l.Target)
		if !words.MatchesText(l.Text + " " + text) {
			continue
		}
		choice := entryChoice(s, l.Target, view.OneLine(l.Text), "flag")
		choice.Detail = cutText(text)
		g.add(choice)
	}
	return g
}

func entryChoice(s view.Scene, p session.Pos, name, icon string) Choice {
	e := s.Tree.At(p)
	c := Choice{Name: name, Icon: icon, Href: view.Params{}.WithEntry(e.ID, "").Href(s.Base())}
	if e.Time != session.NoTime {
		c.Time = formatTime(s.Config, time.UnixMilli(e.Time))
	}
	return c
}

func formatTime(c view.Config, t time.Time) string { return c.TimeModel(t).ISO }

func cutText(s string) string { return rowtext.Cut(view.OneLine(s), maxTextRunes) }
