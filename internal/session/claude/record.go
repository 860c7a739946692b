package claude

import (
	"bytes"
	"hash/maphash"
	"strconv"
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
	node
	hasID          bool
	about          string // sessionId as recorded
	forked         string // the session this line was copied from
	older          bool   // than its session: what it was copied from is not named
	cwd, branch    string
	title, aiTitle string
	summary, leaf  string // a summary and the entry it is of; last-prompt: the leaf
	prompt         string // a typed prompt that can name the session
	message        string // id of the API's message: its lines are one reply
	titled         bool   // the line gives a title or, with none, takes it away
	sent           sentAs // how the model is sent the line
	*contextFacts         // of the few lines that decide more than that; else nil
	request        string // an answer: its request's id; a line of a request: the id or the hash that names it
}

// record makes an entry of a line, whatever its type.
func (l *line) record(home string) session.Record {
	x := &facts{about: l.texts.Text(l.sessionID), forked: l.texts.Text(l.forked), cwd: l.texts.Text(l.cwd), branch: l.texts.Text(l.branch)}
	r := session.Record{Extra: x}
	e := &r.Entry
	e.Time = when(l.time)
	e.Stamp = e.Time
	e.Role = "unknown"
	if l.typ.IsString() {
		e.Role = l.word(l.typ)
	}
	x.id, x.hasID = l.texts.Text(l.uuid), l.uuid.IsString() && len(l.uuid.Raw) > 2
	e.ID = x.id
	if x.parent = l.texts.Text(l.parent); x.parent != "" {
		e.Parent, e.Flags = x.parent, session.FlagHasParent
	}
	x.session, x.stamp, x.sidechain = x.about, l.time.Text(), l.sidechain
	if s := l.texts.Text(l.requestSession); s != "" && s != x.about {
		x.origin = s
	}
	x.older = before(e.Stamp, x.about)
	x.class = classStructural
	l.team(x)
	switch {
	case l.typ.Is("user"):
		l.user(e, x, home)
	case l.typ.Is("assistant"):
		l.assistant(e, x, home)
	case l.typ.Is("system"):
		l.system(e, x)
	default:
		l.aside(e, x)
	}
	l.context(e, x)
	l.requested(x)
	return r
}

// copied reports whether the line stood in another session before.
func (x *facts) copied() bool { return x.forked != "" || x.older }

// before reports whether a time is older than a session, as far as the session's id
// tells when it was made (UUIDv7). Claude Code's own ids do not; those of files that
// were made of its sessions do.
func before(stamp int64, id string) bool {
	const made = len("01234567-89ab-7")
	if stamp == session.NoTime || len(id) < made || id[made-1] != '7' {
		return false
	}
	at, err := strconv.ParseInt(id[:8]+id[9:13], 16, 64)
	return err == nil && stamp < at-1000 // clocks differ a little
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

// word is word without an allocation where the lines before had the same.
func (l *line) word(v jsonl.Value) string {
	if len(v.Raw) > maxWord {
		return word(v)
	}
	return l.texts.Text(v)
}

var blanks = strings.NewReplacer("\n", " ", "\t", " ")

// flat is a text as a row shows it.
func flat(s string) string {
	return strings.TrimFunc(blanks.Replace(s), jsonl.IsSpace)
}

// flatten is flat of a text that may be overwritten.
func flatten(text []byte) []byte {
	for i, b := range text {
		if b == '\n' || b == '\t' {
			text[i] = ' '
		}
	}
	return bytes.TrimFunc(text, jsonl.IsSpace)
}

// short is a string cut for a row.
func short(v jsonl.Value, limit int) string {
	var room [3 * maxPreview]byte // a UTF-16 unit takes at most three bytes
	return string(flatten(jsonl.AppendText(room[:0], v, limit)))
}

func (l *line) user(e *session.Entry, x *facts, home string) {
	x.class = classUser
	m := &l.message
	if r := m.first("tool_result"); r != nil {
		l.toolResult(e, x, r)
		return
	}
	l.prompted(e, x)
}

// team reads which agent the line is of, or started.
func (l *line) team(x *facts) {
	x.agent = l.texts.Text(l.agentID)
	if !l.agentID.IsString() {
		x.agent = l.texts.Text(l.result.agent)
	}
	x.run, x.task = l.texts.Text(l.result.run), l.texts.Text(l.result.task)
}

func (l *line) assistant(e *session.Entry, x *facts, home string) {
	x.class = classAssistant
	m := &l.message
	e.Kind, e.Name, e.Stop, e.Tokens = session.KindAssistant, l.word(m.model), l.word(m.stop), m.tokens
	x.message = l.texts.Text(m.id)
	e.Preview = m.row()
	if m.spoken() {
		e.Flags |= session.FlagText
	}
	if m.has("thinking") || m.has("redacted_thinking") {
		e.Flags |= session.FlagThinking
	}
	if l.apiError {
		e.Flags |= session.FlagError
		e.Stop, e.Error = "error", cut(e.Preview, maxError)
	}
	for i := range m.blocks {
		b := &m.blocks[i]
		if !b.typ.Is("tool_use") {
			continue
		}
		c := l.call(b, home)
		e.Calls = append(e.Calls, c)
		x.calls = append(x.calls, c.ID)
		x.spawns = x.spawns || c.Name == "Task" || c.Name == "Agent"
		if c.Name == "Task" {
			if x.tasks == nil {
				x.tasks = map[string]uint64{}
			}
			x.tasks[c.ID] = hash(jsonl.Fields(b.input).Text("prompt"))
		}
	}
	switch {
	case len(e.Calls) > 0 || e.Stop == "tool_use":
		e.Stop = "toolUse"
	case e.Stop == "end_turn" || e.Stop == "stop_sequence":
		e.Stop = "stop"
	}
}

var seed = maphash.MakeSeed()

// hash is of the words of a text, whatever their case and the space between.
func hash(text string) uint64 {
	return maphash.String(seed, strings.ToLower(strings.Join(strings.Fields(text), " ")))
}

func cut(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}

func (l *line) system(e *session.Entry, x *facts) {
	x.class = classSystem
	e.Kind = session.KindEvent
	e.Role = "system"
	switch {
	case l.subtype.Is("compact_boundary"):
		x.boundary, x.logical = true, l.logical.Text()
		for _, v := range l.compact.kept {
			if id := v.Text(); id != "" {
				x.kept = append(x.kept, id)
			}
		}
		e.Kind = session.KindCompaction
		n, _ := l.compact.tokens.Number()
		e.Tokens = max(int64(n), 0)
		e.Status = word(l.compact.trigger)
	case l.subtype.Is("away_summary"):
		e.Kind, e.Name, e.Preview = session.KindCustomMessage, "Recap", short(l.content, maxPreview)
		e.Flags |= session.FlagText
	default:
		e.Name = spaced(short(l.subtype, maxPreview))
		if text := short(l.content, maxPreview); text != "" {
			if e.Name != "" {
				e.Name += ": "
			}
			e.Name += strings.TrimSpace(bare(text))
		}
	}
}
