package pi

import (
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"

	"sessiontree/internal/session"
)

// maxHeader is how long pi before 1.5 lets a header be, in bytes: a session with a
// longer one is opened, but never as the most recent one.
const maxHeader = 512

// head begins a file: its id, its name, the lines before the first entry.
func (w *forker) head(from string, m session.Mint) session.NewFile {
	h := w.tree.Header()
	h.ID, h.Time, h.Parent = w.sessionID(m), m.Now, from
	h.Version = max(h.Version, current) // lines of a newer version stay what they are
	file := session.NewFile{ID: h.ID, Name: fileName(&h)}
	title := ""
	if w.titled {
		title = h.Name
	}
	// Files of oh-my-pi since version 18 begin with a slot for the title.
	if w.titled && !nanoid(w.tree.Header().ID) {
		file.Lines = append(file.Lines, session.FileLine{Pos: session.NoPos, Text: titleSlot(title, "", quoted(iso(m.Now)))})
	}
	line := headerLine(&h, title)
	if len(line) > maxHeader && len(file.Lines) > 0 {
		line = headerLine(&h, "") // the slot has it
	}
	if h.Parent = ""; len(line) > maxHeader && len(headerLine(&h, "")) <= maxHeader {
		line = headerLine(&h, "")
	}
	file.Lines = append(file.Lines, session.FileLine{Pos: session.NoPos, Text: line})
	return file
}

// sessionID is a new id in the form of the source's: oh-my-pi before version 18
// is known by its own.
func (w *forker) sessionID(m session.Mint) string {
	id := m.Session()
	if w.titled && nanoid(w.tree.Header().ID) {
		sum := sha256.Sum256([]byte(id))
		return base64.RawURLEncoding.EncodeToString(sum[:])[:21]
	}
	return id
}

func fileName(h *session.Header) string {
	return strings.NewReplacer(":", "-", ".", "-").Replace(iso(h.Time)) + "_" + h.ID + ".jsonl"
}

// headerLine makes a header. What is empty is left out.
func headerLine(h *session.Header, title string) []byte {
	pairs := []pair{
		{"type", quoted("session")}, {"version", strconv.AppendInt(nil, int64(h.Version), 10)}, {"id", quoted(h.ID)},
		{"timestamp", quoted(iso(h.Time))}, {"cwd", quoted(h.Cwd)},
	}
	for _, p := range []struct{ key, text string }{{"parentSession", h.Parent}, {"title", title}} {
		if p.text != "" {
			pairs = append(pairs, pair{p.key, quoted(p.text)})
		}
	}
	return compose(pairs...)
}

// titleSlot makes the first line of a file of oh-my-pi: with its end exactly slotLen
// bytes, a title that is too long cut between characters. updated is JSON; source is
// who chose the title, "" unknown.
func titleSlot(title, source string, updated []byte) []byte {
	cut := []rune(title)
	for n := min(len(cut), slotLen); ; n-- {
		pairs := []pair{{"type", quoted("title")}, {"v", []byte("1")}, {"title", quoted(string(cut[:n]))}}
		if source != "" {
			pairs = append(pairs, pair{"source", quoted(source)})
		}
		slot := compose(append(pairs, pair{"updatedAt", updated}, pair{"pad", quoted("")})...)
		if free := slotLen - 1 - len(slot); free >= 0 {
			return append(append(slot[:len(slot)-2:len(slot)-2], strings.Repeat(" ", free)...), `"}`...)
		}
	}
}
