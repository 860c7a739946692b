package view

import (
	"fmt"
	"strings"
)

// script writes the lines of a session, one entry per second.
type script struct {
	out []string
	n   int
}

func (s *script) add(id, parent, payload string) string {
	s.n++
	up := "null"
	if parent != "" {
		up = `"` + parent + `"`
	}
	s.out = append(s.out, fmt.Sprintf(`{"id":%q,"parentId":%s,"timestamp":"2026-02-03T%02d:%02d:%02d.000Z",%s}`,
		id, up, 9+s.n/3600, s.n/60%60, s.n%60, payload))
	return id
}

func (s *script) user(id, parent, text string) string {
	return s.add(id, parent, fmt.Sprintf(`"type":"message","message":{"role":"user","content":%s}`, quote(text)))
}

func (s *script) answer(id, parent, text string, calls ...string) string {
	blocks := []string{}
	if text != "" {
		blocks = append(blocks, fmt.Sprintf(`{"type":"text","text":%s}`, quote(text)))
	}
	for _, c := range calls {
		blocks = append(blocks, fmt.Sprintf(`{"type":"toolCall","id":%q,"name":"bash","arguments":{"command":%q}}`, c, "run "+c))
	}
	return s.add(id, parent, `"type":"message","message":{"role":"assistant","content":[`+strings.Join(blocks, ",")+
		`],"provider":"prov","model":"m-1","stopReason":"stop","usage":{"input":900,"output":100,"totalTokens":1000,"cost":{"total":0.5}}}`)
}

func (s *script) result(id, parent, call, text string) string {
	return s.add(id, parent, fmt.Sprintf(`"type":"message","message":{"role":"toolResult","toolCallId":%q,"toolName":"bash","content":[{"type":"text","text":%s}],"isError":false}`, call, quote(text)))
}

func (s *script) label(id, parent, target, label string) string {
	return s.add(id, parent, fmt.Sprintf(`"type":"label","targetId":%q,"label":%s`, target, quote(label)))
}

func (s *script) text() string { return lines(s.out...) }

// quote encodes a string as JSON. %q does not, for control characters.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r < 0x20:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}

// forked returns a session with nested branches off the path to its leaf:
//
//	u1 a1 ┬ u2 a2 ┬ u3 a3
//	      │       └ u4 a4
//	      └ u5 a5 u6
func forked() *script {
	var s script
	s.user("u1", "", "start here")
	s.answer("a1", "u1", "started")
	s.user("u2", "a1", "use chokidar")
	s.answer("a2", "u2", "it is big")
	s.user("u3", "a2", "watch the folder")
	s.answer("a3", "u3", "watching")
	s.user("u4", "a2", "drop it")
	s.answer("a4", "u4", "dropped")
	s.user("u5", "a1", "use fs.watch")
	s.answer("a5", "u5", "done with fs.watch")
	s.user("u6", "a5", "thanks")
	return &s
}

// chain returns a long session: n rounds of a prompt, an answer with two calls, their
// results, and an answer.
func chain(n int) *script {
	var s script
	up := ""
	for i := range n {
		up = s.user(fmt.Sprintf("u%d", i), up, fmt.Sprintf("prompt number %d", i))
		c1, c2 := fmt.Sprintf("c%da", i), fmt.Sprintf("c%db", i)
		up = s.answer(fmt.Sprintf("a%d", i), up, "", c1, c2)
		up = s.result(fmt.Sprintf("r%da", i), up, c1, "output one")
		up = s.result(fmt.Sprintf("r%db", i), up, c2, "output two")
		up = s.answer(fmt.Sprintf("z%d", i), up, fmt.Sprintf("answer **%d**", i))
	}
	return &s
}
