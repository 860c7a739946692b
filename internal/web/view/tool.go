package view

import (
	"strings"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// callAt is a tool call: the page's entry it stands in, its place among the
// entry's calls, and its block.
type callAt struct {
	entry, n int
	blk      *session.Block
}

// call is a tool call read for showing.
type call struct {
	name  string
	args  toolArgs
	short string // the argument that tells most, as the row says it
	kind  string // "bash", "read", "edit", "write", "search", "tool", ...
	sign  string // before a command, "" = "$"
}

// tool is a call with its result; c is nil for a result whose call is not on the
// page, res -1 for a call without result.
func (ib *itemBuilder) tool(c *callAt, res int) components.ToolModel {
	var m components.ToolModel
	var cl call
	if c != nil {
		cl = ib.readCall(c)
		e := &ib.pg.entries[c.entry]
		m.ID = domID("c-", e.ID) + "-" + comma(c.n)
		m.Entry, m.RawCall = e.ID, ib.pg.rawURL(e.ID)
	}
	if res >= 0 {
		e := &ib.pg.entries[res]
		if c == nil {
			cl = call{name: orWord(e.call.Name, e.Name), short: e.call.Arg, kind: toolKind(orWord(e.call.Name, e.Name))}
			m.Entry = e.ID
		}
		ib.resultHead(&m, e, res)
	} else if o := outcomeOf(&ib.pg.entries[c.entry].Entry, c.n); o != nil {
		ib.ownHead(&m, &ib.pg.entries[c.entry], o)
		res = c.entry
	} else {
		m.Status = "no result"
		e := &ib.pg.entries[c.entry]
		if ib.pg.live && ib.pg.atLeaf && e.index >= ib.pg.path.talkEnd {
			m.Running, m.Status = true, "running"
		}
	}
	m.Name, m.Icon = orWord(oneLine(cutRunes(cl.name, 60)), "tool"), cl.kind
	m.Arg, m.ArgNote = ib.argument(&cl)
	ib.toolBody(&m, &cl, c, res)
	return m
}

// resultHead fills what the line of a tool says of its result.
func (ib *itemBuilder) resultHead(m *components.ToolModel, e *pathEntry, res int) {
	m.ID, m.Result = domID("e-", e.ID), e.ID
	m.Raw = ib.pg.rawURL(e.ID)
	m.More = ib.pg.partURL(e.ID, "item", -1)
	m.Status = oneLine(e.Status)
	m.Err = e.Has(session.FlagError)
	if m.Err && m.Status == "" {
		m.Status = "failed"
	}
	m.Added, m.Removed = int(e.Added), int(e.Removed)
	m.Label = e.label
	m.Meta = duration(ib.bodies[res].Duration)
	if n := spent(ib.bodies[res].Tokens); n != "" {
		m.Meta = strings.TrimPrefix(m.Meta+", "+n, ", ")
	}
	m.Open = m.Err || e.pos == ib.pg.path.lastEdit || ib.limits == wholeLimits
}

// outcomeOf is what came of an entry's n-th call where the entry itself says it.
func outcomeOf(e *session.Entry, n int) *session.Outcome {
	if n >= len(e.Calls) {
		return nil
	}
	return e.Calls[n].Outcome
}

// ownHead is resultHead for a call whose own entry holds the result.
func (ib *itemBuilder) ownHead(m *components.ToolModel, e *pathEntry, o *session.Outcome) {
	m.Result = e.ID
	m.Raw = ib.pg.rawURL(e.ID)
	m.Status, m.Err = oneLine(o.Status), o.Failed
	m.Open = m.Err || ib.limits == wholeLimits
}

func (ib *itemBuilder) readCall(c *callAt) call {
	cl := call{name: c.blk.Name, args: parseArgs(c.blk.Args), kind: toolKind(c.blk.Name)}
	if calls := ib.pg.entries[c.entry].Calls; c.n < len(calls) {
		cl.short = calls[c.n].Arg
	}
	return cl
}

// toolKinds sorts the tools of coding agents by what they do.
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

func toolKind(name string) string { return orWord(toolKinds[strings.ToLower(name)], "tool") }

// argument is what the line of a tool says of its call.
func (ib *itemBuilder) argument(c *call) (arg, more string) {
	file := c.args.file()
	switch {
	case c.kind == "bash" && c.args.Command != "":
		line, rest := cutLines(strings.TrimSpace(c.args.Command), 1)
		arg = oneLine(cutRunes(line, rowRunes))
		if rest > 0 {
			more = "+" + plural(rest, "line", "lines")
		}
	case file != "" && (c.kind == "read" || c.kind == "edit" || c.kind == "write"):
		arg = oneLine(cutRunes(nearPath(file, ib.pg.path.header.Cwd, ib.b.home), rowRunes))
		if c.kind == "read" {
			more = c.args.lines()
		}
	case c.short != "{}":
		arg = oneLine(c.short)
	}
	return arg, more
}
