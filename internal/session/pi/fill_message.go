package pi

import (
	"strconv"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// fillMessage fills the entry of a message by its role.
func (m *message) fillMessage(e *session.Entry, p *stringPacker, home string) {
	e.Kind, e.Role = session.KindMessage, "message"
	if m.role.IsString() && len(m.role.Raw) > 2 {
		p.packWord(&e.Role, m.role)
	}
	if ms, ok := m.time.Number(); ok {
		e.MessageTime = timeFromNumber(ms)
	}
	e.Flags |= contentFlags(&m.content)
	if fill, ok := messageFillers[string(m.role.Bytes())]; ok {
		fill(m, e, p, home)
		return
	}
	p.packContent(&e.Preview, &m.content, maxPreview)
}

// messageFillers fill an entry by the role of its message. A message of any other role is shown by
// its content.
var messageFillers = map[string]func(*message, *session.Entry, *stringPacker, string){
	"user":              (*message).fillUserMessage,
	"system":            (*message).fillSystemMessage,
	"assistant":         (*message).fillAssistantMessage,
	"toolResult":        (*message).fillToolResultMessage,
	"bashExecution":     (*message).fillShellMessage,
	"pythonExecution":   (*message).fillShellMessage,
	"custom":            (*message).fillHookMessage,
	"hookMessage":       (*message).fillHookMessage,
	"fileMention":       (*message).fillFileMention,
	"branchSummary":     (*message).fillSummaryMessage,
	"compactionSummary": (*message).fillSummaryMessage,
}

func (m *message) fillUserMessage(e *session.Entry, p *stringPacker, _ string) {
	e.Kind = session.KindUser
	p.packContent(&e.Preview, &m.content, maxPreview)
}

func (m *message) fillSystemMessage(e *session.Entry, p *stringPacker, _ string) {
	e.Kind = session.KindSystem
	p.packContent(&e.Preview, &m.content, maxPreview)
}

func (m *message) fillHookMessage(e *session.Entry, p *stringPacker, _ string) {
	p.packText(&e.Name, m.customType, maxName)
	p.packContent(&e.Preview, &m.content, maxPreview)
	e.Flags |= hiddenFlag(m.display)
}

// fillFileMention shows the paths of the files that were read for a prompt.
func (m *message) fillFileMention(e *session.Entry, p *stringPacker, home string) {
	from := len(p.buf)
	for i, path := range m.files {
		if len(p.buf)-from > maxPreview {
			break
		}
		if i > 0 {
			p.buf = append(p.buf, ", "...)
		}
		p.appendPath(path, home)
	}
	p.flattenSince(from)
	p.packSince(&e.Preview, from)
}

func (m *message) fillSummaryMessage(e *session.Entry, p *stringPacker, _ string) {
	p.packRow(&e.Preview, m.summary, maxPreview)
}

func (m *message) fillAssistantMessage(e *session.Entry, p *stringPacker, home string) {
	e.Kind = session.KindAssistant
	p.packContent(&e.Preview, &m.content, maxPreview)
	p.packWord(&e.Name, m.model)
	p.packWord(&e.Details.Provider, m.provider)
	p.packWord(&e.Details.Stop, m.stop)
	p.packError(&e.Details.Error, m.errorText)
	failed := m.stop.Is("error") || m.stop.Is("aborted")
	if failed {
		e.Flags |= session.FlagError
	} else {
		e.Details.Tokens = m.usage.ContextTokens()
	}
	e.Details.Calls = p.packCalls(m.content.blocks, home)
	if calls := taskCalls(m.content.blocks); len(calls) > 0 {
		e.Extra = &spawnFacts{calls: calls}
	}
}

// packError packs an error message for a row. Unlike a content, pi cuts it after it has removed the
// line breaks.
func (p *stringPacker) packError(dst *string, v jsonl.Value) {
	from := len(p.buf)
	p.buf = jsonl.AppendText(p.buf, v, maxWholeText)
	p.flattenSince(from)
	p.cutSince(from, maxError)
	p.packSince(dst, from)
}

// cutSince cuts buf[from:] at limit UTF-16 units.
func (p *stringPacker) cutSince(from, limit int) {
	for i, r := range string(p.buf[from:]) {
		if limit--; r > 0xFFFF {
			limit--
		}
		if limit < 0 {
			p.buf = p.buf[:from+i]
			return
		}
	}
}

func (m *message) fillToolResultMessage(e *session.Entry, p *stringPacker, _ string) {
	e.Kind = session.KindToolResult
	p.packContent(&e.Preview, &m.content, m.maxOutput)
	p.packWord(&e.Name, m.toolName)
	p.packID(&e.Details.Call, m.callID)
	e.Details.Added, e.Details.Removed = countDiff(m.details.diff)
	if m.isError.Kind() == 't' {
		e.Flags |= session.FlagError
		m.packFailure(&e.Details.Status, p)
	}
	if m.toolName.Is(taskTool) {
		e.Extra = &spawnFacts{ids: m.resultAgents(), failed: m.isError.Kind() == 't', cost: m.details.used.Cost}
	}
}

// fillShellMessage fills a command or Python code that the user ran.
func (m *message) fillShellMessage(e *session.Entry, p *stringPacker, _ string) {
	e.Kind, e.Name = session.KindShell, "bash"
	if m.role.Is("pythonExecution") {
		e.Name = "python"
	}
	p.packRow(&e.Preview, m.command, maxWholeText)
	if m.excluded.Kind() == 't' {
		e.Flags |= session.FlagNoContext
	}
	code, exited := m.exitCode.Number()
	switch {
	case m.cancelled.Kind() == 't':
		e.Details.Status = "cancelled"
	case exited && code != 0:
		p.packExitStatus(&e.Details.Status, strconv.FormatInt(int64(code), 10))
	}
	if e.Status() != "" || exited && code != 0 {
		e.Flags |= session.FlagError
	}
}
