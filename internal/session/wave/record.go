package wave

import (
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

const (
	maxPreview = 200 // UTF-16 units of a text in a row
	maxName    = 512 // UTF-16 units of names
	maxError   = 80
)

// facts are the values of a record that the decoder and the arrangement need besides the entry.
type facts struct {
	id            string         // as recorded
	version       int            // version of the line's form, 0 if unknown
	spawnRequests []spawnRequest // calls that start agents
	prompt        string         // of a user's message, to find the call that started an agent
}

// spawnRequest is the input of a call that starts an agent.
type spawnRequest struct{ prompt, title string }

// makeRecord makes the record of a line: a header or an entry.
func (l *line) makeRecord(home string) session.Record {
	if l.isHeader() {
		return session.Record{Header: &session.Header{Cwd: l.workdir.Text(), Time: parseTime(l.created), GitBranch: shortName(l.branch)}}
	}
	x := &facts{id: l.id.Text()}
	r := session.Record{Extra: x}
	e := &r.Entry
	e.Details = &l.entryDetails
	e.Time = parseTime(l.time)
	e.MessageTime, e.Role = e.Time, "unknown"
	switch {
	case l.isMessage():
		x.version, e.Role = blockVersion, shortName(l.role)
		l.fillBlockMessage(e, x, home)
	case l.isTextMessage():
		x.version, e.Role = textVersion, shortName(l.role)
		l.fillTextMessage(e)
	case l.typ.IsString():
		e.Role = shortName(l.typ)
	}
	e.Details.Charge = l.charge()
	e.StoreDetails(&l.entryDetails)
	return r
}

// parseTime parses a recorded time.
func parseTime(v jsonl.Value) int64 {
	if ms, ok := v.ParseTime(); ok {
		return ms
	}
	return session.NoTime
}

// shortName returns a name, cut at maxName.
func shortName(v jsonl.Value) string { return string(jsonl.AppendText(nil, v, maxName)) }

// rowString returns a string for a row, at most limit UTF-16 units.
func rowString(v jsonl.Value, limit int) string {
	return flattenText(string(jsonl.AppendText(nil, v, limit)))
}

var breakReplacer = strings.NewReplacer("\r\n", " ", "\n", " ", "\t", " ")

// flattenText returns a text on one line, trimmed.
func flattenText(s string) string {
	if strings.ContainsAny(s, "\r\n\t") {
		s = breakReplacer.Replace(s)
	}
	return strings.TrimFunc(s, jsonl.IsSpace)
}

// fillTextMessage fills the entry of a message of the first version.
func (l *line) fillTextMessage(e *session.Entry) {
	e.Kind = session.KindUser
	if l.role.Is("assistant") {
		e.Kind, e.Details.Stop = session.KindAssistant, "stop"
	}
	e.Preview = rowString(l.content, maxPreview)
	if !l.content.IsBlank() {
		e.Flags |= session.FlagText
	}
}

// fillBlockMessage fills the entry of a message with blocks.
func (l *line) fillBlockMessage(e *session.Entry, x *facts, home string) {
	e.Preview = l.messageText(maxPreview)
	if e.Preview != "" {
		e.Flags |= session.FlagText
	}
	if l.hasBlock("image") {
		e.Flags |= session.FlagImages
	}
	if l.hasBlock("reasoning") {
		e.Flags |= session.FlagThinking
	}
	switch {
	case l.hasBlock("compact"):
		e.Kind, e.Preview, e.Details.Tokens = session.KindCompaction, "", l.prompt
	case l.role.Is("assistant"):
		l.fillAssistantBlocks(e, x, home)
	case l.role.Is("user"):
		l.fillUserBlocks(e, x)
	default:
		e.Kind = session.KindMessage
	}
	l.fillSingleBlock(e)
	if e.Kind != session.KindUnknown && e.Kind != session.KindEvent && !l.isSent() {
		e.Flags |= session.FlagNoContext
	}
	if l.meta && e.Kind != session.KindCompaction {
		e.Kind, e.Flags = session.KindCustomMessage, e.Flags|session.FlagHidden
		if e.Name == "" {
			e.Name = "meta"
		}
	}
}

// firstTypedBlock returns the first text block that no hook added, nil if there is none.
func (l *line) firstTypedBlock() *block {
	for i := range l.blocks {
		if b := &l.blocks[i]; b.typ.Is("text") && !b.source.Is("hook") {
			return b
		}
	}
	return nil
}

// messageText returns the text of a message, its blocks joined by spaces. Texts of hooks count only
// if there is no other.
func (l *line) messageText(limit int) string {
	var text []byte
	typed := l.firstTypedBlock() != nil
	for i := range l.blocks {
		if b := &l.blocks[i]; b.typ.Is("text") && limit > 0 && !b.content.IsBlank() && !(typed && b.source.Is("hook")) {
			if len(text) > 0 {
				text = append(text, ' ')
			}
			text, limit = jsonl.AppendTextWithin(text, b.content, limit)
		}
	}
	return flattenText(string(text))
}

// firstBlock returns the first block of a type, nil if there is none.
func (l *line) firstBlock(typ string) *block {
	for i := range l.blocks {
		if l.blocks[i].typ.Is(typ) {
			return &l.blocks[i]
		}
	}
	return nil
}

func (l *line) hasBlock(typ string) bool { return l.firstBlock(typ) != nil }

func (l *line) fillUserBlocks(e *session.Entry, x *facts) {
	e.Kind = session.KindUser
	if b := l.firstBlock("bang"); b != nil {
		b.fillShellCommand(e)
		return
	}
	if b := l.firstBlock("task_notification"); b != nil {
		e.Kind, e.Name, e.Preview = session.KindCustomMessage, "task", rowString(b.summary, maxPreview)
		return
	}
	if l.hasBlock("text") && l.firstTypedBlock() == nil {
		e.Kind, e.Name = session.KindCustomMessage, "hook"
		return
	}
	if !l.meta { // texts that Wave adds itself are no prompts
		x.prompt = string(jsonl.AppendText(nil, l.promptText(), maxPrompt))
	}
}

// promptText returns the first typed text of the message.
func (l *line) promptText() jsonl.Value {
	if b := l.firstTypedBlock(); b != nil {
		return b.content
	}
	return jsonl.Value{}
}

// fillShellCommand fills the entry of a command that the user ran.
func (b *block) fillShellCommand(e *session.Entry) {
	e.Kind, e.Name, e.Preview = session.KindShell, "bash", rowString(b.command, maxPreview)
	code, ended := b.code.Number()
	switch {
	case !ended && b.isUnfinished():
		e.Details.Status = statusUnfinished
	case ended && code != 0:
		e.Details.Status = "exit " + string(jsonl.AppendNumber(nil, code))
	}
}

// statusUnfinished is the status of a block that was saved while it ran. Wave never corrects saved
// lines.
const statusUnfinished = "unfinished"

// isUnfinished reports whether the block was saved before it ended.
func (b *block) isUnfinished() bool { return b.stage.IsString() && !b.stage.Is("end") }

func (l *line) fillAssistantBlocks(e *session.Entry, x *facts, home string) {
	e.Kind, e.Name, e.Details.Tokens = session.KindAssistant, shortName(l.model), l.tokens
	for i := range l.blocks {
		if b := &l.blocks[i]; b.typ.Is("tool") {
			args := parseParameters(b.params)
			e.Details.Calls = append(e.Calls(), b.makeToolCall(len(e.Calls()), args, home))
			if b.name.Is("Agent") || b.name.Is("Task") {
				x.spawnRequests = append(x.spawnRequests, parseSpawnRequest(args))
			}
		}
	}
	e.Details.Stop = "stop"
	if len(e.Calls()) > 0 {
		e.Details.Stop = "toolUse"
	}
	if b := l.firstBlock("error"); b != nil {
		e.Details.Stop, e.Flags = "error", e.Flags|session.FlagError
		e.Details.Error = rowString(b.content, maxError)
	}
}
