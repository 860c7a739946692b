package wave

import (
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

const (
	maxPreview = 200 // UTF-16 units of a text that a row shows
	maxWord    = 512 // of what is no text but a name
	maxError   = 80
)

// facts is what the decoder and the arrangement need of a record besides its
// entry.
type facts struct {
	id      string // as recorded
	version int    // of the form of the line, 0 unknown
	asked   []ask  // calls of agents
	words   string // of a user's message, for telling which call it answers
}

// ask is a call that started an agent.
type ask struct{ prompt, title string }

// record makes a header or an entry of a line.
func (l *line) record(home string) session.Record {
	if l.isHeader() {
		return session.Record{Header: &session.Header{Cwd: l.workdir.Text(), Time: when(l.created), GitBranch: word(l.branch)}}
	}
	x := &facts{id: l.id.Text()}
	r := session.Record{Extra: x}
	e := &r.Entry
	e.Time = when(l.time)
	e.Stamp, e.Role = e.Time, "unknown"
	switch {
	case l.isMessage():
		x.version, e.Role = blockVersion, word(l.role)
		l.message(e, x, home)
	case l.isText():
		x.version, e.Role = textVersion, word(l.role)
		l.text(e)
	case l.typ.IsString():
		e.Role = word(l.typ)
	}
	return r
}

// when reads a time.
func when(v jsonl.Value) int64 {
	if ms, ok := v.Time(); ok {
		return ms
	}
	return session.NoTime
}

// word is a name that recurs, cut.
func word(v jsonl.Value) string { return string(jsonl.AppendText(nil, v, maxWord)) }

// short is a string cut for a row.
func short(v jsonl.Value, limit int) string { return flat(string(jsonl.AppendText(nil, v, limit))) }

var breaks = strings.NewReplacer("\r\n", " ", "\n", " ", "\t", " ")

// flat is a text as a row shows it.
func flat(s string) string {
	if strings.ContainsAny(s, "\r\n\t") {
		s = breaks.Replace(s)
	}
	return strings.TrimFunc(s, jsonl.IsSpace)
}

// text makes the entry of a message of the first form.
func (l *line) text(e *session.Entry) {
	e.Kind = session.KindUser
	if l.role.Is("assistant") {
		e.Kind, e.Stop = session.KindAssistant, "stop"
	}
	e.Preview = short(l.content, maxPreview)
	if !l.content.Blank() {
		e.Flags |= session.FlagText
	}
}

// message makes the entry of a message of blocks.
func (l *line) message(e *session.Entry, x *facts, home string) {
	e.Preview = l.words(maxPreview)
	if e.Preview != "" {
		e.Flags |= session.FlagText
	}
	if l.has("image") {
		e.Flags |= session.FlagImages
	}
	if l.has("reasoning") {
		e.Flags |= session.FlagThinking
	}
	switch {
	case l.has("compact"):
		e.Kind, e.Preview, e.Tokens = session.KindCompaction, "", l.prompt
	case l.role.Is("assistant"):
		l.assistant(e, x, home)
	case l.role.Is("user"):
		l.user(e, x)
	default:
		e.Kind = session.KindMessage
	}
	l.alone(e)
	if e.Kind != session.KindUnknown && e.Kind != session.KindEvent && !l.sent() {
		e.Flags |= session.FlagNoContext
	}
	if l.meta && e.Kind != session.KindCompaction {
		e.Kind, e.Flags = session.KindCustomMessage, e.Flags|session.FlagHidden
		if e.Name == "" {
			e.Name = "meta"
		}
	}
}

// typed is the first text of a message that no hook put in, nil when there is none.
func (l *line) typed() *block {
	for i := range l.blocks {
		if b := &l.blocks[i]; b.typ.Is("text") && !b.source.Is("hook") {
			return b
		}
	}
	return nil
}

// words is the text of a message, its blocks joined by blanks; what hooks put in
// only where there is nothing else.
func (l *line) words(limit int) string {
	var text []byte
	typed := l.typed() != nil
	for i := range l.blocks {
		if b := &l.blocks[i]; b.typ.Is("text") && limit > 0 && !b.content.Blank() && !(typed && b.source.Is("hook")) {
			if len(text) > 0 {
				text = append(text, ' ')
			}
			text, limit = jsonl.AppendTextLeft(text, b.content, limit)
		}
	}
	return flat(string(text))
}

// first is the first block of a type, nil when there is none.
func (l *line) first(typ string) *block {
	for i := range l.blocks {
		if l.blocks[i].typ.Is(typ) {
			return &l.blocks[i]
		}
	}
	return nil
}

func (l *line) has(typ string) bool { return l.first(typ) != nil }

func (l *line) user(e *session.Entry, x *facts) {
	e.Kind = session.KindUser
	if b := l.first("bang"); b != nil {
		b.shell(e)
		return
	}
	if b := l.first("task_notification"); b != nil {
		e.Kind, e.Name, e.Preview = session.KindCustomMessage, "task", short(b.summary, maxPreview)
		return
	}
	if l.has("text") && l.typed() == nil {
		e.Kind, e.Name = session.KindCustomMessage, "hook"
		return
	}
	if !l.meta { // what Wave itself puts in is no prompt
		x.words = string(jsonl.AppendText(nil, l.asked(), maxAsked))
	}
}

// asked is the first text of the message that was typed.
func (l *line) asked() jsonl.Value {
	if b := l.typed(); b != nil {
		return b.content
	}
	return jsonl.Value{}
}

// shell makes the entry of a command that the user ran.
func (b *block) shell(e *session.Entry) {
	e.Kind, e.Name, e.Preview = session.KindShell, "bash", short(b.command, maxPreview)
	code, ended := b.code.Number()
	switch {
	case !ended && b.unfinished():
		e.Status = unfinished
	case ended && code != 0:
		e.Status = "exit " + string(jsonl.AppendNumber(nil, code))
	}
}

// unfinished is the outcome of what was saved while it ran: Wave never corrects a
// line that is saved.
const unfinished = "unfinished"

// unfinished reports whether the block was saved before it ended.
func (b *block) unfinished() bool { return b.stage.IsString() && !b.stage.Is("end") }

func (l *line) assistant(e *session.Entry, x *facts, home string) {
	e.Kind, e.Name, e.Tokens = session.KindAssistant, word(l.model), l.tokens
	for i := range l.blocks {
		if b := &l.blocks[i]; b.typ.Is("tool") {
			e.Calls = append(e.Calls, b.call(len(e.Calls), home))
			if b.name.Is("Agent") || b.name.Is("Task") {
				x.asked = append(x.asked, b.ask())
			}
		}
	}
	e.Stop = "stop"
	if len(e.Calls) > 0 {
		e.Stop = "toolUse"
	}
	if b := l.first("error"); b != nil {
		e.Stop, e.Flags = "error", e.Flags|session.FlagError
		e.Error = short(b.content, maxError)
	}
}
