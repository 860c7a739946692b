package contextpanel

import (
	"encoding/json"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/modelcontext"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/session/toolkind"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// How many messages are listed at the start and at the end; those between them on request. Of
// very many, some in the middle are never listed.
const (
	firstRows, lastRows       = 5, 60
	mostFirstRows, mostAtLast = 500, 1500
)

// listedRows returns the rows of the messages that are listed, and their number in words.
func (b *builder) listedRows() (rows []components.ContextRow, number string) {
	var listed []*modelcontext.Row
	for i := range b.request.Rows {
		if row := &b.request.Rows[i]; b.isListed(row) {
			listed = append(listed, row)
		}
	}
	all := components.FormatCount(len(b.request.Rows))
	number = all + " in order"
	if b.params.Show != "" {
		number = components.FormatCount(len(listed)) + " of " + all
	}
	first, last := firstRows, lastRows
	if b.params.All {
		first, last = mostFirstRows, mostAtLast
	}
	if len(listed) <= first+last+1 {
		first, last = len(listed), 0
	}
	for _, row := range listed[:first] {
		rows = append(rows, b.row(row))
	}
	if between := len(listed) - first - last; between > 0 {
		gap := components.ContextRow{More: components.FormatCount(between) + " more messages"}
		if !b.params.All {
			gap.All = Params{Show: b.params.Show, All: true}.href(b.scene, b.entry)
		}
		rows = append(rows, gap)
	}
	for _, row := range listed[len(listed)-last:] {
		rows = append(rows, b.row(row))
	}
	return rows, number
}

// maxSentIDs is up to how many messages a page has the ids of their entries, with which the
// script marks other entries in the tree.
const maxSentIDs = 5000

// sentIDs returns the ids of the entries that are sent as a JSON list, "" if there are too many
// or not all are known.
func (b *builder) sentIDs() string {
	if len(b.request.Rows) > maxSentIDs {
		return ""
	}
	ids := []string{}
	for i := range b.request.Rows {
		item := &b.request.Rows[i].Item
		if item.Pos == session.NoPos {
			return ""
		}
		for _, p := range append([]session.Pos{item.Pos}, item.MergedEntries...) {
			ids = append(ids, b.scene.Tree.At(p).ID)
		}
	}
	list, err := json.Marshal(ids)
	if err != nil { // strings can be encoded
		panic(err)
	}
	return string(list)
}

func (b *builder) isListed(row *modelcontext.Row) bool {
	switch b.params.Show {
	case "":
		return true
	case onlyNew:
		return row.New
	}
	return row.Part.Name() == b.params.Show
}

// row returns the row of a message.
func (b *builder) row(row *modelcontext.Row) components.ContextRow {
	m := components.ContextRow{
		Part: row.Part.Name(), Icon: partIcons[row.Part], New: row.New,
		Tokens: components.FormatCount(int(row.Tokens.Sum())), Text: view.OneLine(row.Text),
	}
	if p := row.Item.Pos; p != session.NoPos {
		b.describeEntry(&m, row, p)
		m.Number, m.Href = b.numbers.Format(p), b.entryHref(p)
	}
	switch row.Form {
	case modelcontext.FormThinking:
		m.Icon, m.Text = "think", "Thinking"
	case modelcontext.FormImage:
		m.Icon, m.Text = "image", "Image"
	}
	switch {
	case row.Was > 0:
		m.Icon, m.Note = "scissors", "cleared, was "+components.FormatCount(int(row.Was))
	case row.Kept:
		m.Note = "kept"
	}
	return m
}

var partIcons = [modelcontext.PartCount]string{"chip", "tool", "tool", "pack", "user", "answer", "tool", "image"}

// describeEntry adds the text of the entry of a message.
func (b *builder) describeEntry(m *components.ContextRow, row *modelcontext.Row, p session.Pos) {
	t := b.scene.Tree
	e := t.At(p)
	if calls := e.Calls(); row.Item.Part != session.PartMessage && row.Item.Call < len(calls) {
		c := &calls[row.Item.Call]
		m.Tool, m.Text = view.EscapeInvisible(c.Name), view.CallText(t, c)
	} else if row.Form == modelcontext.FormCall && row.Item.Call < len(calls) {
		c := &calls[row.Item.Call]
		m.Tool, m.Text = view.EscapeInvisible(c.Name), view.CallText(t, c)+", call"
	} else if len(calls) > 0 && !e.HasFlag(session.FlagText) {
		m.Tool, m.Text, m.Note = view.EscapeInvisible(calls[0].Name), view.CallText(t, &calls[0])+", call", moreCalls(calls)
	} else {
		w := view.BuildRowText(t, p, e)
		m.Tool, m.Text = w.Tool, w.Text
	}
	switch {
	case row.Form == modelcontext.FormResult:
		m.Text += ", result"
	case row.Part == modelcontext.Summary && e.Kind != session.KindBranchSummary:
		m.Tool, m.Text = "", "Summary"
	case row.Item.SystemMessage:
		m.Text = "System prompt"
	}
	m.Text = strings.TrimPrefix(m.Text, ", ")
	if m.Tool != "" {
		m.Icon = components.ToolIcon(toolkind.Of(m.Tool))
	}
}

// moreCalls says how many calls follow the first one.
func moreCalls(calls []session.ToolCall) string {
	if len(calls) < 2 {
		return ""
	}
	return components.FormatCount(len(calls)-1) + " more"
}

// maxSystemText limits how much of a system prompt a page has; the recorded request has all.
const maxSystemText = 20_000

// rowsBefore returns the rows of what comes before the messages.
func (b *builder) rowsBefore() (rows []components.ContextRow) {
	r := b.request
	number := func(part modelcontext.Part) string { return components.FormatCount(int(r.Parts[part])) }
	if r.Recorded {
		system := components.ContextRow{Part: "system", Icon: "chip", Text: "System prompt", Tokens: number(modelcontext.System)}
		system.Body = view.EscapeInvisible(rowtext.Cut(r.Text.System, maxSystemText))
		tools := components.ContextRow{Part: "tools", Icon: "tool", Text: components.Pluralize(len(r.Text.Tools), "tool", "tools"), Tokens: number(modelcontext.Tools)}
		tools.Body = view.EscapeInvisible(strings.Join(r.Text.Tools, "\n"))
		return append(rows, system, tools)
	}
	if r.Parts[modelcontext.Unrecorded] > 0 {
		rows = append(rows, components.ContextRow{Part: "unrecorded", Icon: "chip", Text: "System prompt and tools", Note: "not in this file", Tokens: number(modelcontext.Unrecorded)})
	}
	return rows
}

// leftOutRows is how many of the entries that were left out are listed.
const leftOutRows = 2

// leftOut returns what a compaction or a reset left out, nil if it left nothing out.
func (b *builder) leftOut() *components.ContextLeftOut {
	r, t := b.request, b.scene.Tree
	if len(r.LeftOut) == 0 {
		return nil
	}
	m := &components.ContextLeftOut{Title: "Summarised away", Text: components.Pluralize(len(r.LeftOut), "entry", "entries"), Href: b.entryHref(r.LeftOut[0])}
	if t.At(r.LeftOutBy).Kind == session.KindReset {
		m.Title = "Left out by a reset"
	}
	if r.LeftOutTokens > 0 {
		m.Text += ", " + view.FormatTokens(r.LeftOutTokens) + " tokens before"
	}
	for _, p := range r.LeftOut[:min(leftOutRows, len(r.LeftOut))] {
		w := view.BuildRowText(t, p, t.At(p))
		row := components.ContextRow{Part: "left", Icon: "user", Tool: w.Tool, Text: w.Text, Number: b.numbers.Format(p), Href: b.entryHref(p)}
		if t.At(p).Kind == session.KindAssistant {
			row.Icon = "answer"
		}
		if w.Tool != "" {
			row.Icon = components.ToolIcon(toolkind.Of(w.Tool))
		}
		m.Rows = append(m.Rows, row)
	}
	if n := len(r.LeftOut) - len(m.Rows); n > 0 {
		m.More = components.Pluralize(n, "more entry", "more entries") + ", up to entry " + b.numbers.Format(r.LeftOut[len(r.LeftOut)-1])
	}
	return m
}
