package activity

import (
	"regexp"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/session/toolkind"
)

// Limits of the texts in Said.
const (
	maxSaidRunes = 200
	maxOptions   = 8
	maxOption    = 60
)

// SetAnswer sets what the line Track.Answer says.
func (s *Said) SetAnswer(b *session.Body) {
	s.Text, s.Thinking, s.IsAsking = "", false, false
	for i := range b.Blocks {
		text := lastTextLine(b.Blocks[i].Text)
		switch {
		case text == "":
		case b.Blocks[i].Kind == session.BlockText:
			s.Text, s.Thinking, s.IsAsking = cutSaid(text), false, endsWithQuestion(text)
		case b.Blocks[i].Kind == session.BlockThinking && (s.Text == "" || s.Thinking):
			s.Text, s.Thinking = cutSaid(text), true
		}
	}
}

// SetQuestion sets what the line Track.Asked asks.
func (s *Said) SetQuestion(b *session.Body, rules *session.ActivityRules) {
	s.Question, s.Options, s.IsPlan = "", nil, false
	for i := range b.Blocks {
		c := &b.Blocks[i]
		if c.Kind != session.BlockToolCall || !toolkind.AsksUser(c.Name) {
			continue
		}
		s.IsPlan = toolkind.Of(c.Name) == "plan"
		if rules.ReadQuestion == nil {
			return
		}
		question, options := rules.ReadQuestion(c.Args)
		s.Question = cutSaid(firstTextLine(question))
		for _, o := range options[:min(len(options), maxOptions)] {
			s.Options = append(s.Options, strings.Clone(rowtext.Cut(rowtext.OneLine(o), maxOption)))
		}
		return
	}
}

func cutSaid(text string) string {
	return strings.Clone(rowtext.Cut(rowtext.OneLine(text), maxSaidRunes))
}

// lastTextLine returns the last line of a Markdown text that has words.
func lastTextLine(text string) string {
	for {
		text = strings.TrimRight(text, " \t\r\n")
		i := strings.LastIndexByte(text, '\n')
		if line := trimMarkup(text[i+1:]); line != "" || i < 0 {
			return line
		}
		text = text[:i]
	}
}

// firstTextLine returns the first line of a Markdown text that has words.
func firstTextLine(text string) string {
	for line := range strings.Lines(text) {
		if line = trimMarkup(line); line != "" {
			return line
		}
	}
	return ""
}

var (
	lineMarker = regexp.MustCompile(`^(?:#{1,6}|[-*+>])(?:\s+|$)`)
	// quotedWords matches code and emphasized words with the signs on both sides.
	quotedWords = regexp.MustCompile("`([^`]+)`" + `|\*\*([^\s*](?:[^*]*[^\s*])?)\*\*`)
	// emphasizedLine matches a line with one sign on both sides.
	emphasizedLine = regexp.MustCompile(`^(?:\*([^*]+)\*|_([^_]+)_|__([^_]+)__|\|(.*)\|)$`)
)

// trimMarkup removes Markdown from a line: signs of headings, lists and quotes before it, and
// pairs of signs. It returns "" for a line without words and for one that begins or ends a
// block of code.
func trimMarkup(line string) string {
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "```") || !strings.ContainsFunc(line, isWordSign) {
		return ""
	}
	for marker := lineMarker.FindString(line); marker != ""; marker = lineMarker.FindString(line) {
		line = line[len(marker):]
	}
	line = quotedWords.ReplaceAllString(line, "$1$2")
	return strings.TrimSpace(emphasizedLine.ReplaceAllString(line, "$1$2$3$4"))
}

func isWordSign(r rune) bool { return !strings.ContainsRune("#>*_-+=`|: \t", r) }

// endsWithQuestion reports whether a line ends with a question mark, which quotes and
// brackets may follow.
func endsWithQuestion(line string) bool {
	line = strings.TrimRight(line, " *_`\"'”’)»]")
	return strings.HasSuffix(line, "?") || strings.HasSuffix(line, "？") || strings.HasSuffix(line, "؟")
}
