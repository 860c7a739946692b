// Package contextpanel builds the model of the context of an answer: what the model was sent
// before it.
package contextpanel

import (
	"fmt"
	"net/url"

	"sessiontree/internal/session"
	"sessiontree/internal/session/modelcontext"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// barWidth is the width of the bar in its view box.
const barWidth = 1000

var partTexts = [modelcontext.PartCount]string{
	"System prompt", "Tools", "System prompt and tools", "Summary", "Prompts", "Answers and thinking", "Tool results", "Images",
}

// builder builds a model.
type builder struct {
	scene   view.Scene
	params  Params
	request *modelcontext.Request
	entry   string // id of the answer, "" if there is none
	onPath  session.Marks
	numbers view.EntryNumbers
}

// Model returns the context of a request, whose positions must be those of the scene's tree.
func Model(s view.Scene, p Params, r *modelcontext.Request) components.ContextModel {
	b := &builder{scene: s, params: p, request: r, onPath: s.Tree.MarkPath(s.View.Leaf), numbers: view.EntryNumbers{Tree: s.Tree}}
	m := components.ContextModel{
		Name: view.SessionName(s.Tree), Shown: p.Show, Recorded: r.Recorded, Uncounted: !r.Counted,
		Total: components.FormatCount(int(r.Total)), Back: s.Params.Href(s.Base()),
	}
	m.Page.Title = "Context, " + m.Name
	if r.Answer != session.NoPos {
		e := s.Tree.At(r.Answer)
		b.entry = e.ID
		m.Entry, m.Number, m.Time, m.Back = e.ID, b.numbers.Format(r.Answer), s.Config.MillisModel(e.Time), b.entryHref(r.Answer)
		if r.Recorded {
			m.Request = s.Base() + "/entries/" + url.PathEscape(e.ID) + "?raw=request"
		}
	}
	m.Panel, m.All = p.href(s, b.entry), Params{}.href(s, b.entry)
	m.Previous, m.Next = b.requestHref(r.Previous), b.requestHref(r.Next)
	b.addParts(&m)
	m.Change, m.Sent = b.change(), b.sentIDs()
	m.Rows, m.Messages = b.listedRows()
	if p.Show == "" {
		m.Before, m.LeftOut = b.rowsBefore(), b.leftOut()
	}
	if p.Show == "" || p.Show == onlyNew {
		for i := range r.Removed {
			row := b.row(&r.Removed[i])
			row.Note, row.New = "removed", false
			m.Removed = append(m.Removed, row)
		}
	}
	return m
}

// entryHref returns the URL that views an entry.
func (b *builder) entryHref(p session.Pos) string {
	return b.scene.EntryHref(b.scene.Tree.At(p).ID, b.onPath.Has(p))
}

// requestHref returns the URL of the request for another answer, "" for none.
func (b *builder) requestHref(answer session.Pos) string {
	if answer == session.NoPos {
		return ""
	}
	return Params{}.href(b.scene, b.scene.Tree.At(answer).ID)
}

// addParts adds the parts and what is free of the model's context.
func (b *builder) addParts(m *components.ContextModel) {
	r := b.request
	window := b.scene.Config.PriceTable().Window(r.Model)
	if window < r.Total {
		window = 0 // a larger one than the table knows
	}
	whole := max(r.Total, window, 1)
	var counts [modelcontext.PartCount]int
	for i := range r.Rows {
		counts[r.Rows[i].Part]++
	}
	x := int64(0)
	for part, n := range r.Parts {
		if n == 0 {
			continue
		}
		p := newPart(modelcontext.Part(part).Name(), partTexts[part], n, whole)
		p.X, p.Width = fmt.Sprint(barWidth*x/whole), fmt.Sprint(max(barWidth*(x+n)/whole-barWidth*x/whole-2, 3))
		x += n
		if counts[part] > 0 {
			p.Count = components.FormatCount(counts[part])
			p.Href = Params{Show: p.Name}.href(b.scene, b.entry)
		}
		m.Parts = append(m.Parts, p)
	}
	if b.request.Recorded {
		b.nameTools(m.Parts)
	}
	if window > 0 {
		free := newPart("free", "Free", window-r.Total, whole)
		m.Window, m.Free = components.FormatCount(int(window)), &free
	}
}

// nameTools adds the number of tools.
func (b *builder) nameTools(parts []components.ContextPart) {
	for i := range parts {
		if parts[i].Name == modelcontext.Tools.Name() {
			parts[i].Count = components.FormatCount(len(b.request.Text.Tools))
		}
	}
}

func newPart(name, text string, n, whole int64) components.ContextPart {
	return components.ContextPart{Name: name, Text: text, Tokens: components.FormatCount(int(n)), Share: fmt.Sprintf("%.0f %%", 100*float64(n)/float64(whole))}
}

// change returns the difference to the previous request, nil if there is none.
func (b *builder) change() *components.ContextChange {
	r := b.request
	if r.Previous == session.NoPos {
		return nil
	}
	added := 0
	for i := range r.Rows {
		if r.Rows[i].New {
			added++
		}
	}
	c := &components.ContextChange{Messages: "+" + components.FormatCount(added), OnlyNew: Params{Show: onlyNew}.href(b.scene, b.entry)}
	if r.RemovedCount > 0 {
		c.Messages += ", " + minus + components.FormatCount(r.RemovedCount)
	}
	switch {
	case r.Change > 0:
		c.Tokens = "+" + components.FormatCount(int(r.Change))
	case r.Change < 0:
		c.Tokens = minus + components.FormatCount(int(-r.Change))
	}
	if u := &r.Usage; u.CacheRead+u.CacheWrite > 0 {
		c.Cache = components.FormatCount(int(u.CacheRead)) + " read, " + components.FormatCount(int(u.CacheWrite)) + " written"
	}
	return c
}

// minus is the sign before negative numbers.
const minus = "\u2212"
