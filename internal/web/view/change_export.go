package view

import (
	"net/url"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/web/components"
)

// ExportPart is a part of a session in the pages about exports.
type ExportPart struct {
	export.Part
	As        string // as in addresses
	Title     string // "This path"
	Entries   int
	Positions []session.Pos // entries of the part, in the dialog
	Refused   string
	Omitted   string
}

// ExportKinds lists the kinds of exported files: the name in addresses, the display name
// and the icon.
var ExportKinds = []struct{ As, Text, Icon string }{{"md", "Markdown", "file"}, {"jsonl", "Session file", "file-plus"}, {"html", "Web page, one file", "code"}}

// ExportMenu lists the exports for an entry, "" = the leaf.
func (c ChangeView) ExportMenu(entry string, parts []ExportPart) components.ExportMenu {
	m := components.ExportMenu{Page: c.Page, Back: c.backLink(entry), Copy: c.exportURL(export.Part{Entry: entry, Scope: export.Path}, "md", false)}
	m.Page.Title, m.Page.Live = "Export, "+sessionName(c.Tree), ""
	if p := c.Tree.FindID(entry); p != session.NoPos {
		m.Quote = c.entryQuote(p)
	}
	for _, part := range parts {
		g := components.ExportGroup{Title: part.Title + ", " + components.Pluralize(part.Entries, "entry", "entries")}
		for _, as := range ExportKinds {
			g.Items = append(g.Items, components.ExportItem{Text: as.Text, Hint: "." + as.As, Icon: as.Icon, Href: c.exportURL(export.Part{Entry: entry, Scope: part.Scope}, as.As, true)})
		}
		m.Groups = append(m.Groups, g)
	}
	return m
}

// exportURL returns the address of an export, or of the dialog before it.
func (c ChangeView) exportURL(part export.Part, as string, ask bool) string {
	q := url.Values{"as": {as}}
	for _, p := range exportPartFields(part) {
		q.Set(p.Name, p.Value)
	}
	if ask {
		q.Set("ask", "1")
	}
	return c.actionHref("export") + "?" + q.Encode()
}

// exportPartFields returns the parameters that name a part in addresses and forms.
func exportPartFields(part export.Part) []components.Pair {
	all := []components.Pair{{Name: "scope", Value: string(part.Scope)}}
	if part.Entry != "" {
		all = append(all, components.Pair{Name: "entry", Value: part.Entry})
	}
	if part.Bare {
		all = append(all, components.Pair{Name: "bare", Value: "1"})
	}
	if part.To != "" {
		all = append(all, components.Pair{Name: "to", Value: part.To})
	}
	return all
}

// MaxFindings limits the findings listed in a dialog.
const MaxFindings = 100

// ExportDialog returns the dialog before a download.
func (c ChangeView) ExportDialog(part ExportPart, o export.Options, found export.Findings) components.ExportModel {
	m := components.ExportModel{
		Page: c.Page, Back: c.backLink(part.Entry), Post: c.actionHref("export"), Reason: part.Refused, Omitted: part.Omitted,
		Hidden: append(exportPartFields(part.Part), components.Pair{Name: "as", Value: part.As}, components.Pair{Name: "chosen", Value: "1"}),
		Title:  "Export as " + exportKindText(part.As),
		Scope:  part.Title + ", " + components.Pluralize(len(part.Positions), "entry", "entries") + ".",
	}
	m.Page.Title, m.Page.Live = m.Title+", "+sessionName(c.Tree), ""
	if p := c.Tree.FindID(part.Entry); p != session.NoPos && part.Scope != export.Tree {
		m.Quote = c.entryQuote(p)
	}
	m.Found, m.Classes = findingModels(c, found.Items, o.Classes)
	m.More = findingsNote(found)
	m.Include = includeOptions(c.Tree, part.Positions, map[string]bool{IncludeOutput: !o.Omit.Output, IncludeThinking: !o.Omit.Thinking, IncludeImages: !o.Omit.Images})
	if o.Kind == export.Markdown {
		m.Include, m.Omitted = m.Include[:2], "Thinking and images are left out, long output is cut short."
	}
	return m
}

// findingModels returns the first findings with their places, and the classes that are
// redacted.
func findingModels(c ChangeView, found []export.Finding, which map[string]bool) (list []components.FindingModel, classes []components.FindingClass) {
	counts := map[string]int{}
	for i, f := range found {
		counts[f.Class] += f.Count
		if i >= MaxFindings {
			continue
		}
		redacted, chosen := which[f.ID]
		m := components.FindingModel{Kind: f.Kind, ValueID: f.ID, Excerpt: f.Excerpt, On: redacted || !chosen}
		m.Place = components.Link{Text: f.Entry, Href: c.sessionHref() + "?entry=" + url.QueryEscape(f.Entry)}
		if p := c.Tree.FindID(f.Entry); p != session.NoPos {
			m.Place.Text = c.redactedPhrase(p, 60)
		}
		if f.Count > 1 {
			m.Count = components.FormatCount(f.Count) + " places"
		}
		list = append(list, m)
	}
	return list, []components.FindingClass{
		{Name: "keys", Text: "Keys, tokens and passwords", Count: components.FormatCount(counts["keys"]), On: which["keys"]},
		{Name: "personal", Text: "Home directories, names and addresses", Count: components.FormatCount(counts["personal"]), On: which["personal"]},
	}
}

func exportKindText(as string) string {
	switch as {
	case "jsonl":
		return "a session file"
	case "html":
		return "a web page"
	}
	return "Markdown"
}

// findingsNote describes what the list of findings omits.
func findingsNote(f export.Findings) string {
	n, text := len(f.Items), ""
	switch {
	case n == 0 && f.Checked == f.Total:
		return "No secrets found. The check only knows common patterns, so read it before sharing."
	case n > MaxFindings:
		text = "And " + components.Pluralize(n-MaxFindings, "more value", "more values") + ", replaced by class. "
	}
	if f.Checked < f.Total {
		text += "The first " + components.Pluralize(f.Checked, "entry was", "entries were") + " looked through; the rest is when the file is written."
	}
	return text
}
