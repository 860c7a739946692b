package viewtest

import (
	"fmt"
	"strings"
)

// Script writes the lines of a session, one entry per second.
type Script struct {
	Out []string
	n   int
}

// Add adds an entry with the fields of payload, and returns its id.
func (s *Script) Add(id, parent, payload string) string {
	s.n++
	up := "null"
	if parent != "" {
		up = `"` + parent + `"`
	}
	s.Out = append(s.Out, fmt.Sprintf(`{"id":%q,"parentId":%s,"timestamp":"2026-02-03T%02d:%02d:%02d.000Z",%s}`,
		id, up, 9+s.n/3600, s.n/60%60, s.n%60, payload))
	return id
}

// User adds a prompt.
func (s *Script) User(id, parent, text string) string {
	return s.Add(id, parent, fmt.Sprintf(`"type":"message","message":{"role":"user","content":%s}`, Quote(text)))
}

// Answer adds an answer with tool calls of the given ids.
func (s *Script) Answer(id, parent, text string, calls ...string) string {
	blocks := []string{}
	if text != "" {
		blocks = append(blocks, fmt.Sprintf(`{"type":"text","text":%s}`, Quote(text)))
	}
	for _, c := range calls {
		blocks = append(blocks, fmt.Sprintf(`{"type":"toolCall","id":%q,"name":"bash","arguments":{"command":%q}}`, c, "run "+c))
	}
	return s.Add(id, parent, `"type":"message","message":{"role":"assistant","content":[`+strings.Join(blocks, ",")+
		`],"provider":"prov","model":"m-1","stopReason":"stop","usage":{"input":900,"output":100,"totalTokens":1000,"cost":{"total":0.5}}}`)
}

// Result adds the result of a call.
func (s *Script) Result(id, parent, call, text string) string {
	return s.Add(id, parent, fmt.Sprintf(`"type":"message","message":{"role":"toolResult","toolCallId":%q,"toolName":"bash","content":[{"type":"text","text":%s}],"isError":false}`, call, Quote(text)))
}

// Label adds a label for the entry target.
func (s *Script) Label(id, parent, target, label string) string {
	return s.Add(id, parent, fmt.Sprintf(`"type":"label","targetId":%q,"label":%s`, target, Quote(label)))
}

// Text returns the session file.
func (s *Script) Text() string { return Lines(s.Out...) }

// Quote encodes a string as JSON. %q does not, for control characters.
func Quote(text string) string {
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

// Forked returns a session with nested branches off the path to its leaf:
//
//	u1 a1 ┬ u2 a2 ┬ u3 a3
//	      │       └ u4 a4
//	      └ u5 a5 u6
func Forked() *Script {
	var s Script
	s.User("u1", "", "start here")
	s.Answer("a1", "u1", "started")
	s.User("u2", "a1", "use chokidar")
	s.Answer("a2", "u2", "it is big")
	s.User("u3", "a2", "watch the folder")
	s.Answer("a3", "u3", "watching")
	s.User("u4", "a2", "drop it")
	s.Answer("a4", "u4", "dropped")
	s.User("u5", "a1", "use fs.watch")
	s.Answer("a5", "u5", "done with fs.watch")
	s.User("u6", "a5", "thanks")
	return &s
}

// Chain returns a long session: n rounds of a prompt, an answer with two calls, their
// results, and an answer.
func Chain(n int) *Script {
	var s Script
	up := ""
	for i := range n {
		up = s.User(fmt.Sprintf("u%d", i), up, fmt.Sprintf("prompt number %d", i))
		c1, c2 := fmt.Sprintf("c%da", i), fmt.Sprintf("c%db", i)
		up = s.Answer(fmt.Sprintf("a%d", i), up, "", c1, c2)
		up = s.Result(fmt.Sprintf("r%da", i), up, c1, "output one")
		up = s.Result(fmt.Sprintf("r%db", i), up, c2, "output two")
		up = s.Answer(fmt.Sprintf("z%d", i), up, fmt.Sprintf("answer **%d**", i))
	}
	return &s
}

// Long returns a session of many entries with realistic texts.
func Long(n int) *Script {
	var s Script
	up := ""
	for i := range n {
		c := fmt.Sprintf("c%d", i)
		up = s.User(fmt.Sprintf("u%d", i), up, "Make the *theme* reload when the file changes, and keep the old one if it is broken.")
		up = s.Answer(fmt.Sprintf("a%d", i), up, fmt.Sprintf("Step %d. The watcher lives in `theme.ts`:\n\n```ts\nfs.watch(file%d, () => reload());\n```\n\n- debounce\n- fall back to **dark**\n", i, i), c)
		up = s.Result(fmt.Sprintf("r%d", i), up, c, "> build\n> tsc -p .\n\nno errors found in 214 files\n")
		if i%10 == 3 {
			s.User(fmt.Sprintf("x%d", i), up, "another way")
		}
	}
	return &s
}
