package view

import (
	"cmp"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
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
}

// buildTool returns a call with its result. c is nil for a result whose call is not on the
// page; res is -1 for a call without result.
func (ib *itemBuilder) buildTool(c *callPlace, res int) components.ToolModel {
	var m components.ToolModel
	var cl toolCall
	if c != nil {
		cl = ib.readCall(c)
		e := &ib.page.entries[c.entry]
		m.ID = domID("c-", e.ID) + "-" + components.FormatCount(c.n)
		m.Entry, m.RawCall = e.ID, ib.page.rawURL(e.ID)
	}
	if res >= 0 {
		e := &ib.page.entries[res]
		if c == nil {
			cl = toolCall{name: cmp.Or(e.call.Name, e.Name), short: e.call.Arg, kind: toolKind(cmp.Or(e.call.Name, e.Name))}
			m.Entry = e.ID
		}
		ib.fillResultLine(&m, e, res)
	} else if o := callOutcome(&ib.page.entries[c.entry].Entry, c.n); o != nil {
		ib.fillOutcomeLine(&m, &ib.page.entries[c.entry], o)
		res = c.entry
	} else {
		m.Status = "no result"
		e := &ib.page.entries[c.entry]
		if ib.page.live && ib.page.atLeaf && e.index >= ib.page.path.lastMessage {
			m.Running, m.Status = true, "running"
		}
	}
	m.Name, m.Icon = cmp.Or(oneLine(rowtext.Cut(cl.name, 60)), "tool"), cl.kind
	m.Arg, m.ArgNote = ib.argumentText(&cl)
	ib.fillToolBody(&m, &cl, c, res)
	return m
}

// fillResultLine fills in the parts of a tool's line that depend on its result.
func (ib *itemBuilder) fillResultLine(m *components.ToolModel, e *pathEntry, res int) {
	m.ID, m.Result = domID("e-", e.ID), e.ID
	m.Raw = ib.page.rawURL(e.ID)
	m.More = ib.page.partURL(e.ID, "item", -1)
	m.Status = oneLine(e.Status())
	m.Err = e.HasFlag(session.FlagError)
	if m.Err && m.Status == "" {
		m.Status = "failed"
	}
	m.Added, m.Removed = int(e.Added()), int(e.Removed())
	m.Label = e.label
	m.Meta = formatDuration(ib.bodies[res].Duration)
	if n := tokensText(ib.bodies[res].Tokens); n != "" {
		m.Meta = strings.TrimPrefix(m.Meta+", "+n, ", ")
	}
	m.Open = m.Err || e.pos == ib.page.path.lastFileEdit || ib.limits == wholeLimits
}

// callOutcome returns the outcome of an entry's n-th call if the entry itself records it,
// otherwise nil.
func callOutcome(e *session.Entry, n int) *session.Outcome {
	if n >= len(e.Calls()) {
		return nil
	}
	return e.Calls()[n].Outcome
}

// fillOutcomeLine is fillResultLine for a call whose own entry records the result.
func (ib *itemBuilder) fillOutcomeLine(m *components.ToolModel, e *pathEntry, o *session.Outcome) {
	m.Result = e.ID
	m.Raw = ib.page.rawURL(e.ID)
	m.Status, m.Err = oneLine(o.Status), o.Failed
	m.Open = m.Err || ib.limits == wholeLimits
}

func (ib *itemBuilder) readCall(c *callPlace) toolCall {
	cl := toolCall{name: c.blk.Name, args: parseToolArgs(c.blk.Args), kind: toolKind(c.blk.Name)}
	if calls := ib.page.entries[c.entry].Calls(); c.n < len(calls) {
		cl.short = calls[c.n].Arg
	}
	return cl
}

// toolKinds maps the names of tools to kinds.
var toolKinds = map[string]string{
	"bash": "bash", "shell": "bash", "exec": "bash",
	"read": "read", "read_file": "read",
	"edit": "edit", "multiedit": "edit", "multi_edit": "edit", "str_replace": "edit", "patch": "edit",
	"write": "write", "write_file": "write",
	"notebookedit": "edit", "toolsearch": "search",
	"task": "agent", "agent": "agent", "webfetch": "web", "websearch": "web",
	"todowrite": "todo", "exitplanmode": "plan", "askuserquestion": "ask", "workflow": "script",
	"grep": "search", "find": "search", "ls": "search", "glob": "search", "search": "search", "web_search": "search",
}

func toolKind(name string) string { return cmp.Or(toolKinds[strings.ToLower(name)], "tool") }

// argumentText returns the argument that a tool's line shows, and a note about it.
func (ib *itemBuilder) argumentText(c *toolCall) (arg, more string) {
	file := c.args.filePath()
	switch {
	case c.kind == "bash" && c.args.Command != "":
		line, rest := cutLines(strings.TrimSpace(c.args.Command), 1)
		arg = oneLine(rowtext.Cut(line, maxRowRunes))
		if rest > 0 {
			more = "+" + components.Pluralize(rest, "line", "lines")
		}
	case file != "" && (c.kind == "read" || c.kind == "edit" || c.kind == "write"):
		arg = oneLine(rowtext.Cut(shortPath(file, ib.page.path.header.Cwd, ib.page.config.Home), maxRowRunes))
		if c.kind == "read" {
			more = c.args.lineRange()
		}
	case c.short != "{}":
		arg = oneLine(c.short)
	}
	return arg, more
}
