package claude

import (
	"bytes"
	"hash/maphash"
	"strconv"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/claude/dag"
	"sessiontree/internal/session/claude/usertext"
	"sessiontree/internal/session/jsonl"
	"sessiontree/internal/session/rowtext"
)

const (
	maxPreview = 200 // UTF-16 units of a text in a row
	maxName    = 512 // UTF-16 units of names
	maxError   = 80
)

// facts are the values of a record that the decoder and the arrangement need besides the entry.
type facts struct {
	dag.Node
	hasID            bool
	sessionID        string // sessionId as recorded
	forked           string // the session that this line was copied from
	olderThanSession bool   // the line is older than its session: a copy whose source is not named
	cwd, branch      string
	title, aiTitle   string
	summary, leaf    string // a summary and the entry that it is about; of last-prompt, the leaf
	prompt           string // a typed prompt that can title the session
	message          string // id of the API message, shared by the lines of one reply
	titled           bool   // the line sets a title or, with none, removes it
	sentAs           sentAs // how the model receives the line
	*contextFacts           // only of the few lines that have such facts, else nil
	request          string // of an answer: the id of its request; of a line of a request: its id or hash
}

// makeRecord makes the record of a line of any type.
func (l *line) makeRecord(home string) session.Record {
	x := &facts{sessionID: l.interner.Intern(l.sessionID), forked: l.interner.Intern(l.forked), cwd: l.interner.Intern(l.cwd), branch: l.interner.Intern(l.branch)}
	r := session.Record{Extra: x}
	e := &r.Entry
	e.Details = &l.entryDetails
	e.Time = parseTime(l.time)
	e.MessageTime = e.Time
	e.Role = "unknown"
	if l.typ.IsString() {
		e.Role = l.internName(l.typ)
	}
	x.ID, x.hasID = l.interner.Intern(l.uuid), l.uuid.IsString() && len(l.uuid.Raw) > 2
	e.ID = x.ID
	if x.Parent = l.interner.Intern(l.parent); x.Parent != "" {
		e.Parent, e.Flags = x.Parent, session.FlagHasParent
	}
	x.Session, x.Stamp, x.Sidechain = x.sessionID, l.time.Text(), l.sidechain
	if s := l.interner.Intern(l.requestSession); s != "" && s != x.sessionID {
		x.Origin = s
	}
	x.olderThanSession = isOlderThanSession(e.MessageTime, x.sessionID)
	x.Class = dag.ClassStructural
	l.readAgentIDs(x)
	switch {
	case l.typ.Is("user"):
		l.fillUser(e, x, home)
	case l.typ.Is("assistant"):
		l.fillAssistant(e, x, home)
	case l.typ.Is("system"):
		l.fillSystem(e, x)
	default:
		l.fillMetadata(e, x)
	}
	l.readSentAs(e, x)
	l.readRequestRef(x)
	e.StoreDetails(&l.entryDetails)
	return r
}

// isCopied reports whether the line was copied from another session.
func (x *facts) isCopied() bool { return x.forked != "" || x.olderThanSession }

// isOlderThanSession reports whether a time precedes the creation of a session, which a UUIDv7
// records. Claude Code's own ids record no time; the ids of files made from its sessions do.
func isOlderThanSession(stamp int64, id string) bool {
	const made = len("01234567-89ab-7")
	if stamp == session.NoTime || len(id) < made || id[made-1] != '7' {
		return false
	}
	at, err := strconv.ParseInt(id[:8]+id[9:13], 16, 64)
	return err == nil && stamp < at-1000 // allows for clocks that differ a little
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

// internName is shortName without an allocation for recurring names.
func (l *line) internName(v jsonl.Value) string {
	if len(v.Raw) > maxName {
		return shortName(v)
	}
	return l.interner.Intern(v)
}

var blankReplacer = strings.NewReplacer("\n", " ", "\t", " ")

// flattenText returns a text on one line, trimmed.
func flattenText(s string) string {
	return strings.TrimFunc(blankReplacer.Replace(s), jsonl.IsSpace)
}

// flattenBytes is flattenText in place.
func flattenBytes(text []byte) []byte {
	for i, b := range text {
		if b == '\n' || b == '\t' {
			text[i] = ' '
		}
	}
	return bytes.TrimFunc(text, jsonl.IsSpace)
}

// rowString returns a string for a row, at most limit UTF-16 units.
func rowString(v jsonl.Value, limit int) string {
	var room [3 * maxPreview]byte // a UTF-16 unit takes at most three bytes
	return string(flattenBytes(jsonl.AppendText(room[:0], v, limit)))
}

func (l *line) fillUser(e *session.Entry, x *facts, home string) {
	x.Class = dag.ClassUser
	m := &l.message
	if r := m.firstBlock("tool_result"); r != nil {
		l.fillToolResult(e, x, r)
		return
	}
	l.fillUserText(e, x)
}

// readAgentIDs reads the agent that the line belongs to or that it started.
func (l *line) readAgentIDs(x *facts) {
	x.Agent = l.interner.Intern(l.agentID)
	if !l.agentID.IsString() {
		x.Agent = l.interner.Intern(l.result.agent)
	}
	x.Run, x.Task = l.interner.Intern(l.result.run), l.interner.Intern(l.result.task)
}

func (l *line) fillAssistant(e *session.Entry, x *facts, home string) {
	x.Class = dag.ClassAssistant
	m := &l.message
	e.Kind, e.Name, e.Details.Stop, e.Details.Tokens = session.KindAssistant, l.internName(m.model), l.internName(m.stop), m.usage.Tokens()
	if e.Details.Charge = m.usage.Charge(e.Name, l.requestID, m.id, l.uuid); e.Details.Charge != nil {
		e.Details.Charge.Copied = x.isCopied() || x.Origin != ""
	}
	x.message = l.interner.Intern(m.id)
	e.Preview = m.rowText()
	if m.hasText() {
		e.Flags |= session.FlagText
	}
	if m.hasBlock("thinking") || m.hasBlock("redacted_thinking") {
		e.Flags |= session.FlagThinking
	}
	if l.apiError {
		e.Flags |= session.FlagError
		e.Details.Stop, e.Details.Error = "error", cutRow(e.Preview, maxError)
	}
	for i := range m.blocks {
		b := &m.blocks[i]
		if !b.typ.Is("tool_use") {
			continue
		}
		c := l.toolCall(b, home)
		e.Details.Calls = append(e.Calls(), c)
		x.Calls = append(x.Calls, c.ID)
		x.Spawns = x.Spawns || c.Name == "Task" || c.Name == "Agent"
		if c.Name == "Task" {
			if x.TaskPrompts == nil {
				x.TaskPrompts = map[string]uint64{}
			}
			x.TaskPrompts[c.ID] = hashWords(jsonl.ObjectFields(b.input).Text("prompt"))
		}
	}
	switch {
	case len(e.Calls()) > 0 || e.StopReason() == "tool_use":
		e.Details.Stop = "toolUse"
	case e.StopReason() == "end_turn" || e.StopReason() == "stop_sequence":
		e.Details.Stop = "stop"
	}
}

var hashSeed = maphash.MakeSeed()

// hashWords returns a hash of the words of a text that ignores case and white space.
func hashWords(text string) uint64 {
	return maphash.String(hashSeed, strings.ToLower(rowtext.OneLine(text)))
}

// cutRow returns the first n characters of s.
func cutRow(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

func (l *line) fillSystem(e *session.Entry, x *facts) {
	x.Class = dag.ClassSystem
	e.Kind = session.KindEvent
	e.Role = "system"
	switch {
	case l.subtype.Is("compact_boundary"):
		x.Boundary, x.Logical = true, l.logical.Text()
		for _, v := range l.compact.keptIDs {
			if id := v.Text(); id != "" {
				x.KeptIDs = append(x.KeptIDs, id)
			}
		}
		e.Kind = session.KindCompaction
		n, _ := l.compact.tokens.Number()
		e.Details.Tokens = max(int64(n), 0)
		e.Details.Status = shortName(l.compact.trigger)
	case l.subtype.Is("away_summary"):
		e.Kind, e.Name, e.Preview = session.KindCustomMessage, "Recap", rowString(l.content, maxPreview)
		e.Flags |= session.FlagText
	default:
		if l.subtype.Is("local_command") && usertext.Classify(l.content.Text(), false, false, false) == usertext.Output {
			e.Flags |= session.FlagCommand
		}
		e.Name = underscoresToSpaces(rowString(l.subtype, maxPreview))
		if text := rowString(l.content, maxPreview); text != "" {
			if e.Name != "" {
				e.Name += ": "
			}
			e.Name += strings.TrimSpace(usertext.StripTags(text))
		}
	}
}
