package view

import (
	"net/url"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// Exported is a part of a session as the pages about exporting name it.
type Exported struct {
	Scope, As string // as in addresses
	Title     string // "This path"
	Entries   int
	Refused   string
	Left      string
}

// ExportAs are the kinds of files, as addresses and people name them.
var ExportAs = []struct{ As, Text, Icon string }{{"md", "Markdown", "file"}, {"jsonl", "Session file", "file-plus"}, {"html", "Web page, one file", "code"}}

// ExportMenu lists what can be exported about an entry, "" the leaf.
func (b *Builder) ExportMenu(c Change, entry string, parts []Exported) components.ExportMenu {
	m := components.ExportMenu{Page: c.Page, Back: c.back(entry), Copy: c.exportURL(entry, "path", "md", false)}
	m.Page.Title, m.Page.Live = "Export, "+sessionName(c.Tree), ""
	if p := c.Tree.Find(entry); p != session.NoPos {
		m.Quote = b.quote(c.Tree, p)
	}
	for _, part := range parts {
		g := components.ExportGroup{Title: part.Title + ", " + plural(part.Entries, "entry", "entries")}
		for _, as := range ExportAs {
			g.Items = append(g.Items, components.ExportItem{Text: as.Text, Hint: "." + as.As, Icon: as.Icon, Href: c.exportURL(entry, part.Scope, as.As, true)})
		}
		m.Groups = append(m.Groups, g)
	}
	return m
}

// exportURL is the address of an export, or of the dialog that asks before it.
func (c Change) exportURL(entry, scope, as string, ask bool) string {
	q := url.Values{"scope": {scope}, "as": {as}}
	if entry != "" {
		q.Set("entry", entry)
	}
	if ask {
		q.Set("ask", "1")
	}
	return c.post("export") + "?" + q.Encode()
}

// Secret is how many values of a kind an entry holds that should not be told.
type Secret struct {
	Class, Kind, Entry string
	Count              int
}

// mostFound is how many findings a dialog lists.
const mostFound = 100

// Export is the dialog before a download. looked counts the entries that were
// looked through.
func (b *Builder) Export(c Change, entry string, part Exported, found []Secret, looked int) components.ExportModel {
	m := components.ExportModel{
		Page: c.Page, Back: c.back(entry), Post: c.post("export"), Reason: part.Refused, Left: part.Left,
		Hidden: []components.Pair{{Name: "scope", Value: part.Scope}, {Name: "as", Value: part.As}, {Name: "chosen", Value: "1"}},
		Title:  "Export as " + exportWord(part.As),
		Say:    part.Title + ", " + plural(part.Entries, "entry", "entries") + ".",
	}
	m.Page.Title, m.Page.Live = m.Title+", "+sessionName(c.Tree), ""
	if p := c.Tree.Find(entry); p != session.NoPos {
		m.Hidden = append(m.Hidden, components.Pair{Name: "entry", Value: entry})
		if part.Scope != "tree" {
			m.Quote = b.quote(c.Tree, p)
		}
	}
	all, counts := foundIn(c, found)
	m.Found = all
	m.More = moreFound(len(found), looked, part.Entries)
	m.Classes = exportClasses(counts)
	return m
}

// foundIn lists the first findings with their places, and counts all by class.
func foundIn(c Change, found []Secret) (list []components.ExportFound, counts map[string]int) {
	counts = map[string]int{}
	for i, f := range found {
		counts[f.Class] += f.Count
		if i >= mostFound {
			continue
		}
		place := components.Link{Text: f.Entry, Href: c.base() + "?entry=" + url.QueryEscape(f.Entry)}
		if p := c.Tree.Find(f.Entry); p != session.NoPos {
			place.Text = c.masked(p, 60)
		}
		list = append(list, components.ExportFound{Kind: f.Kind, Place: place, Count: comma(f.Count)})
	}
	return list, counts
}

// exportClasses are the classes of findings, all to be replaced.
func exportClasses(counts map[string]int) []components.ExportClass {
	return []components.ExportClass{
		{Name: "keys", Text: "Keys, tokens and passwords", Count: comma(counts["keys"]), On: true},
		{Name: "personal", Text: "Home directories, names and addresses", Count: comma(counts["personal"]), On: true},
	}
}

func exportWord(as string) string {
	switch as {
	case "jsonl":
		return "a session file"
	case "html":
		return "a web page"
	}
	return "Markdown"
}

// moreFound says what the list leaves out.
func moreFound(n, looked, of int) string {
	text := ""
	switch {
	case n == 0 && looked == of:
		return "Nothing was found that should not be told. Rules find specific patterns only: read it before you share it."
	case n > mostFound:
		text = "And in " + plural(n-mostFound, "more place", "more places") + ". "
	}
	if looked < of {
		text += "The first " + plural(looked, "entry was", "entries were") + " looked through; the rest is when the file is written."
	}
	return text
}
