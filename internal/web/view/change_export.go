package view

import (
	"net/url"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/web/components"
)

// Exported is a part of a session as the pages about exporting name it.
type Exported struct {
	Scope, As string // as in addresses
	Title     string // "This path"
	Entries   int
	Kept      []session.Pos // its entries, in the dialog
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

// MostFound is how many findings a dialog lists.
const MostFound = 100

// Export is the dialog before a download. looked counts the entries that were
// looked through.
func (b *Builder) Export(c Change, entry string, part Exported, o export.Options, found export.Findings) components.ExportModel {
	m := components.ExportModel{
		Page: c.Page, Back: c.back(entry), Post: c.post("export"), Reason: part.Refused, Left: part.Left,
		Hidden: []components.Pair{{Name: "scope", Value: part.Scope}, {Name: "as", Value: part.As}, {Name: "chosen", Value: "1"}},
		Title:  "Export as " + exportWord(part.As),
		Say:    part.Title + ", " + plural(len(part.Kept), "entry", "entries") + ".",
	}
	m.Page.Title, m.Page.Live = m.Title+", "+sessionName(c.Tree), ""
	if p := c.Tree.Find(entry); p != session.NoPos {
		m.Hidden = append(m.Hidden, components.Pair{Name: "entry", Value: entry})
		if part.Scope != "tree" {
			m.Quote = b.quote(c.Tree, p)
		}
	}
	m.Found, m.Classes = foundIn(c, found.Found, o.Classes)
	m.More = moreFound(found)
	m.Holds = contents(c.Tree, part.Kept, map[string]bool{HoldOutput: !o.Without.Output, HoldThinking: !o.Without.Thinking, HoldImages: !o.Without.Images})
	if o.As == export.Markdown {
		m.Holds, m.Left = m.Holds[:2], "Thinking and images are left out, long output is cut short."
	}
	return m
}

// foundIn lists the first findings with their places, and what is replaced of them.
func foundIn(c Change, found []export.Found, which map[string]bool) (list []components.ExportFound, classes []components.ExportClass) {
	counts := map[string]int{}
	for i, f := range found {
		counts[f.Class] += f.Count
		if i >= MostFound {
			continue
		}
		redacted, said := which[f.Mark]
		m := components.ExportFound{Kind: f.Kind, Mark: f.Mark, Shown: f.Shown, On: redacted || !said}
		m.Place = components.Link{Text: f.Entry, Href: c.base() + "?entry=" + url.QueryEscape(f.Entry)}
		if p := c.Tree.Find(f.Entry); p != session.NoPos {
			m.Place.Text = c.masked(p, 60)
		}
		if f.Count > 1 {
			m.Count = comma(f.Count) + " places"
		}
		list = append(list, m)
	}
	return list, []components.ExportClass{
		{Name: "keys", Text: "Keys, tokens and passwords", Count: comma(counts["keys"]), On: which["keys"]},
		{Name: "personal", Text: "Home directories, names and addresses", Count: comma(counts["personal"]), On: which["personal"]},
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
func moreFound(f export.Findings) string {
	n, text := len(f.Found), ""
	switch {
	case n == 0 && f.Looked == f.Of:
		return "No secrets found. The check only knows common patterns, so read it before sharing."
	case n > MostFound:
		text = "And " + plural(n-MostFound, "more value", "more values") + ", replaced by class. "
	}
	if f.Looked < f.Of {
		text += "The first " + plural(f.Looked, "entry was", "entries were") + " looked through; the rest is when the file is written."
	}
	return text
}
