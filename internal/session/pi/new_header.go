package pi

import (
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"

	"sessiontree/internal/session"
)

// maxHeader is the maximum header size in bytes for pi before 1.5: it opens a session with a longer
// header, but never as the most recent one.
const maxHeader = 512

// newFileHead starts a new file with its id, its name and the lines before the first entry.
func (w *entryCopier) newFileHead(from string, m session.IDSource) session.NewFile {
	h := w.tree.Header()
	h.ID, h.Time, h.Parent = w.mintSessionID(m), m.Now, from
	h.Version = max(h.Version, currentVersion) // lines of a newer version keep their version
	file := session.NewFile{ID: h.ID, Name: newFileName(&h)}
	title := ""
	if w.titleInHeader {
		title = h.Name
	}
	// Files of oh-my-pi since version 18 begin with a slot for the title.
	if w.titleInHeader && !isNanoID(w.tree.Header().ID) {
		file.Lines = append(file.Lines, session.FileLine{Pos: session.NoPos, Text: titleSlot(title, "", quoteJSON(formatISO(m.Now)))})
	}
	line := headerLine(&h, title)
	if len(line) > maxHeader && len(file.Lines) > 0 {
		line = headerLine(&h, "") // the slot has the title
	}
	if h.Parent = ""; len(line) > maxHeader && len(headerLine(&h, "")) <= maxHeader {
		line = headerLine(&h, "")
	}
	file.Lines = append(file.Lines, session.FileLine{Pos: session.NoPos, Text: line})
	return file
}

// mintSessionID returns a new session id in the form that the source uses. Files of oh-my-pi before
// version 18 are recognized by theirs.
func (w *entryCopier) mintSessionID(m session.IDSource) string {
	id := m.SessionID()
	if w.titleInHeader && isNanoID(w.tree.Header().ID) {
		sum := sha256.Sum256([]byte(id))
		return base64.RawURLEncoding.EncodeToString(sum[:])[:21]
	}
	return id
}

func newFileName(h *session.Header) string {
	return strings.NewReplacer(":", "-", ".", "-").Replace(formatISO(h.Time)) + "_" + h.ID + ".jsonl"
}

// headerLine returns a header line without empty fields.
func headerLine(h *session.Header, title string) []byte {
	pairs := []keyValue{
		{"type", quoteJSON("session")}, {"version", strconv.AppendInt(nil, int64(h.Version), 10)}, {"id", quoteJSON(h.ID)},
		{"timestamp", quoteJSON(formatISO(h.Time))}, {"cwd", quoteJSON(h.Cwd)},
	}
	for _, p := range []struct{ key, text string }{{"parentSession", h.Parent}, {"title", title}} {
		if p.text != "" {
			pairs = append(pairs, keyValue{p.key, quoteJSON(p.text)})
		}
	}
	return composeObject(pairs...)
}

// titleSlot returns the first line of a file of oh-my-pi. With its line end it has exactly slotLen
// bytes; a long title is cut between characters. updated is JSON; source is who set the title, ""
// if unknown.
func titleSlot(title, source string, updated []byte) []byte {
	cut := []rune(title)
	for n := min(len(cut), slotLen); ; n-- {
		pairs := []keyValue{{"type", quoteJSON("title")}, {"v", []byte("1")}, {"title", quoteJSON(string(cut[:n]))}}
		if source != "" {
			pairs = append(pairs, keyValue{"source", quoteJSON(source)})
		}
		slot := composeObject(append(pairs, keyValue{"updatedAt", updated}, keyValue{"pad", quoteJSON("")})...)
		if free := slotLen - 1 - len(slot); free >= 0 {
			return append(append(slot[:len(slot)-2:len(slot)-2], strings.Repeat(" ", free)...), `"}`...)
		}
	}
}
