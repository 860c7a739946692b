package pi

import (
	"strconv"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// entry makes the entry of a message by its role.
func (m *message) entry(e *session.Entry, p *packer, home string) {
	e.Kind, e.Role = session.KindMessage, "message"
	if m.role.IsString() && len(m.role.Raw) > 2 {
		p.word(&e.Role, m.role)
	}
	if ms, ok := m.time.Number(); ok {
		e.Stamp = asTime(ms)
	}
	e.Flags |= contentFlags(&m.content)
	if fill, ok := roles[string(m.role.Bytes())]; ok {
		fill(m, e, p, home)
		return
	}
	p.content(&e.Preview, &m.content, maxPreview)
}

// roles fills an entry by its message's role. What is not here is a message of
// another role and shown by its content.
var roles = map[string]func(*message, *session.Entry, *packer, string){
	"user":              (*message).user,
	"system":            (*message).system,
	"assistant":         (*message).assistant,
	"toolResult":        (*message).toolResult,
	"bashExecution":     (*message).shell,
	"pythonExecution":   (*message).shell,
	"custom":            (*message).hook,
	"hookMessage":       (*message).hook,
	"fileMention":       (*message).mention,
	"branchSummary":     (*message).summarized,
	"compactionSummary": (*message).summarized,
}

func (m *message) user(e *session.Entry, p *packer, _ string) {
	e.Kind = session.KindUser
	p.content(&e.Preview, &m.content, maxPreview)
}

func (m *message) system(e *session.Entry, p *packer, _ string) {
	e.Kind = session.KindSystem
	p.content(&e.Preview, &m.content, maxPreview)
}

func (m *message) hook(e *session.Entry, p *packer, _ string) {
	p.text(&e.Name, m.customType, maxWord)
	p.content(&e.Preview, &m.content, maxPreview)
	e.Flags |= hidden(m.display)
}

// mention shows the files that were read for a prompt by their paths.
func (m *message) mention(e *session.Entry, p *packer, home string) {
	from := len(p.buf)
	for i, path := range m.files {
		if len(p.buf)-from > maxPreview {
			break
		}
		if i > 0 {
			p.buf = append(p.buf, ", "...)
		}
		p.path(path, home)
	}
	p.flatten(from)
	p.keep(&e.Preview, from)
}

func (m *message) summarized(e *session.Entry, p *packer, _ string) {
	p.row(&e.Preview, m.summary, maxPreview)
}

func (m *message) assistant(e *session.Entry, p *packer, home string) {
	e.Kind = session.KindAssistant
	p.content(&e.Preview, &m.content, maxPreview)
	p.word(&e.Name, m.model)
	p.word(&e.Provider, m.provider)
	p.word(&e.Stop, m.stop)
	p.error(&e.Error, m.errorText)
	e.Cost = m.usage.cost
	failed := m.stop.Is("error") || m.stop.Is("aborted")
	if failed {
		e.Flags |= session.FlagError
	} else {
		e.Tokens = m.usage.tokens()
	}
	e.Calls = p.calls(m.content.blocks, home)
	if calls := taskCalls(m.content.blocks); len(calls) > 0 {
		e.Extra = &spawned{calls: calls}
	}
}

// error keeps an error message as a row shows it: pi cuts it after the line breaks
// are gone, unlike a content.
func (p *packer) error(dst *string, v jsonl.Value) {
	from := len(p.buf)
	p.buf = jsonl.AppendText(p.buf, v, maxUncut)
	p.flatten(from)
	p.cut(from, maxError)
	p.keep(dst, from)
}

// cut shortens buf[from:] to limit UTF-16 units.
func (p *packer) cut(from, limit int) {
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

func (m *message) toolResult(e *session.Entry, p *packer, _ string) {
	e.Kind = session.KindToolResult
	p.content(&e.Preview, &m.content, maxPreview)
	p.word(&e.Name, m.toolName)
	p.id(&e.Call, m.callID)
	e.Cost = m.usage.cost + m.details.cost
	e.Added, e.Removed = countDiff(m.details.diff)
	if m.isError.Kind() == 't' {
		e.Flags |= session.FlagError
		m.failure(&e.Status, p)
	}
	if m.toolName.Is(taskTool) {
		e.Extra = &spawned{ids: m.toldBy(), failed: m.isError.Kind() == 't', cost: m.details.cost}
	}
}

// shell is a command, or Python, run by the user.
func (m *message) shell(e *session.Entry, p *packer, _ string) {
	e.Kind, e.Name = session.KindShell, "bash"
	if m.role.Is("pythonExecution") {
		e.Name = "python"
	}
	p.row(&e.Preview, m.command, maxUncut)
	if m.excluded.Kind() == 't' {
		e.Flags |= session.FlagNoContext
	}
	code, exited := m.exitCode.Number()
	switch {
	case m.cancelled.Kind() == 't':
		e.Status = "cancelled"
	case exited && code != 0:
		p.status(&e.Status, strconv.FormatInt(int64(code), 10))
	}
	if e.Status != "" || exited && code != 0 {
		e.Flags |= session.FlagError
	}
}
