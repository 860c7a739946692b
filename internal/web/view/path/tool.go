package path

import (
	"cmp"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/filediff"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/session/toolkind"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/path/toolcards"
	"sessiontree/web/components"
)

// callPlace locates a tool call: the index of its entry on the page, its index among the
// entry's calls, and its block.
type callPlace struct {
	entry, n int
	blk      *session.Block
}

// toolCall is a tool call with its parsed arguments.
type toolCall struct {
	name  string
	args  toolArgs
	short string // the most telling argument, as shown in the row
	kind  string // "bash", "read", "edit", "write", "search", "tool", ...
	sign  string // prompt sign of a command, "" = "$"

	answers []session.Answer // of the user, to the questions of the call
	hasDiff bool             // a diff shows what the call changes
}

// toolBuilder builds the tool calls of a page.
type toolBuilder struct {
	page   *Page
	bodies []session.Body
	blocks *blockBuilder
}

// buildTool returns a call with its result. c is nil for a result whose call is not on the
// page; res is -1 for a call without result.
func (tb *toolBuilder) buildTool(c *callPlace, res int) components.ToolModel {
	var m components.ToolModel
	var cl toolCall
	if c != nil {
		cl = tb.readCall(c)
		e := &tb.page.entries[c.entry]
		m.ID = view.DomID("c-", e.ID) + "-" + components.FormatCount(c.n)
		m.Entry, m.RawCall = e.ID, tb.page.rawURL(e.ID)
	}
	if res >= 0 {
		e := &tb.page.entries[res]
		if c == nil {
			cl = toolCall{name: cmp.Or(e.call.Name, e.Name), short: e.call.Arg, kind: toolkind.Of(cmp.Or(e.call.Name, e.Name))}
			m.Entry = e.ID
		}
		tb.fillResultLine(&m, e, res)
		cl.answers = tb.bodies[res].Answers
		m.Status = cmp.Or(m.Status, toolcards.ReplyStatus(cl.kind, len(cl.answers) > 0))
	} else if o := view.CallOutcome(&tb.page.entries[c.entry].Entry, c.n); o != nil {
		tb.fillOutcomeLine(&m, &tb.page.entries[c.entry], o, tb.page.entries[c.entry].Calls()[c.n].ID)
		res = c.entry
		if cl.kind == "ask" {
			cl.answers = tb.bodies[res].Answers
			m.Status = cmp.Or(m.Status, toolcards.ReplyStatus(cl.kind, len(cl.answers) > 0))
		}
	} else {
		m.Status = "no result"
		e := &tb.page.entries[c.entry]
		if tb.page.runsTool && tb.page.atLeaf && e.index >= tb.page.path.lastMessage {
			m.Running, m.Status = true, "running"
			if toolkind.AsksUser(cl.name) {
				m.Running, m.Status, m.Open = false, "waits for you", true
			} else if e.Time != session.NoTime {
				m.Since = components.Elapsed{Millis: e.Time, How: "clock"}
			}
		}
	}
	m.Name, m.Icon = cmp.Or(view.OneLine(rowtext.Cut(cl.name, 60)), "tool"), cl.kind
	if server, tool := toolkind.SplitServer(m.Name); server != "" {
		m.Name, m.Server = tool, server
	}
	m.Arg, m.ArgNote = tb.argumentText(&cl)
	m.History = tb.fileHistory(&cl)
	tb.fillToolBody(&m, &cl, c, res)
	return m
}

// fileHistory returns the address of the edits of the file that a call changes, "" for other calls
// and for viewers of a snapshot.
func (tb *toolBuilder) fileHistory(c *toolCall) string {
	file := c.args.File()
	if file == "" || tb.page.audience.Snapshot != nil || tb.page.audience.Standalone || !toolkind.ChangesFiles(c.name) {
		return ""
	}
	return view.FileHistoryURL(filediff.CleanPath(tb.page.path.header.Cwd, tb.page.config.Home, file))
}

// fillResultLine fills in the parts of a tool's line that depend on its result.
func (tb *toolBuilder) fillResultLine(m *components.ToolModel, e *pathEntry, res int) {
	m.ID, m.Result = view.DomID("e-", e.ID), e.ID
	m.Raw, m.Text = tb.page.rawURL(e.ID), tb.page.textURL(e.ID, "")
	m.More = tb.page.partURL(e.ID, "item", -1)
	m.Status = view.OneLine(e.Status())
	m.Err = e.HasFlag(session.FlagError)
	if m.Err && m.Status == "" {
		m.Status = "failed"
	}
	m.Added, m.Removed = int(e.Added()), int(e.Removed())
	m.Label = e.label
	m.Meta = view.FormatDuration(tb.bodies[res].Duration)
	if n := tokensText(tb.bodies[res].Tokens); n != "" {
		m.Meta = strings.TrimPrefix(m.Meta+", "+n, ", ")
	}
	m.Open = m.Err || e.pos == tb.page.path.lastFileEdit || tb.blocks.limits == wholeLimits
}

// fillOutcomeLine is fillResultLine for a call whose own entry records the result.
func (tb *toolBuilder) fillOutcomeLine(m *components.ToolModel, e *pathEntry, o *session.Outcome, call string) {
	m.Result = e.ID
	m.Raw, m.Text = tb.page.rawURL(e.ID), tb.page.textURL(e.ID, call)
	m.Status, m.Err = view.OneLine(o.Status), o.Failed
	m.Open = m.Err || tb.blocks.limits == wholeLimits
}

func (tb *toolBuilder) readCall(c *callPlace) toolCall {
	cl := toolCall{name: c.blk.Name, args: parseToolArgs(c.blk.Args), kind: toolkind.Of(c.blk.Name)}
	if calls := tb.page.entries[c.entry].Calls(); c.n < len(calls) {
		cl.short = calls[c.n].Arg
	}
	return cl
}

// argumentText returns the argument that a tool's line shows, and a note about it.
func (tb *toolBuilder) argumentText(c *toolCall) (arg, more string) {
	file := c.args.File()
	switch {
	case c.kind == "bash" && c.args.Command != "":
		line, rest := view.CutLines(strings.TrimSpace(c.args.Command), 1)
		arg = view.OneLine(rowtext.Cut(line, view.MaxRowRunes))
		if rest > 0 {
			more = "+" + components.Pluralize(rest, "line", "lines")
		}
	case file != "" && (c.kind == "read" || c.kind == "edit" || c.kind == "write"):
		arg = view.OneLine(rowtext.Cut(view.ShortPath(file, tb.page.path.header.Cwd, tb.page.config.Home), view.MaxRowRunes))
		if c.kind == "read" {
			more = c.args.lineRange()
		}
	case c.short != "{}":
		arg = view.OneLine(c.short)
	}
	return arg, more
}
