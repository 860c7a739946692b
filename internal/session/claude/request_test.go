package claude

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"sessiontree/internal/session"
)

// raw writes a line without an id.
func (r *recorder) raw(line string) *recorder {
	r.text.WriteString(line + "\n")
	return r
}

func (r *recorder) blob(hash, role, content string) *recorder {
	return r.raw(fmt.Sprintf(`{"type":"api-request-blob","sessionId":"s","hash":%q,"message":{"role":%q,"content":%s}}`, hash, role, content))
}

// request writes the line of a request that continues the request base.
func (r *recorder) request(id, base string, keep int, tail ...string) *recorder {
	if base != "" {
		base = fmt.Sprintf(`"base":%q,`, base)
	}
	list, _ := json.Marshal(tail)
	return r.raw(fmt.Sprintf(`{"type":"api-request","sessionId":"s","id":%q,%s"keep":%d,"tail":%s,"shapeHash":"sh","querySource":"sdk","params":{"model":"m"},"timestamp":"2026-11-22T08:00:00Z"}`, id, base, keep, list))
}

// gives writes the answer to a request.
func (r *recorder) gives(id, request, text string) *recorder {
	return r.add(id, "assistant", fmt.Sprintf(`"requestRef":%q,"message":{"id":%q,"role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":%q}]}`, request, "m-"+id, text))
}

// inShortForm returns a request's messages: role, entries and content.
func inShortForm(r *session.Request) string {
	var words []string
	for _, m := range r.Messages {
		word := m.Role[:1] + ":" + strings.Join(m.Entries, "+") + " "
		if m.Missing != "" {
			word += "missing"
		}
		words = append(words, word+strings.NewReplacer(`{"type":"text","text":`, "", "}", "").Replace(string(m.Content)))
	}
	return strings.Join(words, " | ")
}

func TestRequestOf(t *testing.T) {
	t.Parallel()
	const shape = `{"type":"api-request-shape","shapeHash":"sh","shape":{"system":[{"type":"text","text":"be"}],"tools":[{"name":"Bash"}]}}`
	twoTurns := func() *recorder {
		return talking().raw(shape).say("u", "hi").blob("h1", "user", `"hi"`).request("r1", "", 0, "h1").gives("a", "r1", "yes").gives("b", "r1", "yes").
			say("v", "on").blob("h3", "user", `"on"`)
	}
	for _, c := range []struct {
		name   string
		in     *recorder
		answer string
		want   string
		wrong  error
	}{
		{name: "its own messages", in: twoTurns(), answer: "a", want: `u:u "hi"`},
		{name: "an answer stands for the request before it, all its lines", in: twoTurns().request("r2", "", 0, "h1", "h2", "h3").gives("c", "r2", "so"), answer: "c",
			want: `u:u "hi" | a:a+b ["yes","yes"] | u:v "on"`},
		{name: "a request goes on from another one", in: twoTurns().request("r2", "r1", 1, "h2", "h3").gives("c", "r2", "so"), answer: "c",
			want: `u:u "hi" | a:a+b ["yes","yes"] | u:v "on"`},
		{name: "no more of it than it says", in: twoTurns().blob("h4", "user", `"else"`).request("r2", "", 0, "h1", "h4").request("r3", "r2", 1, "h2", "h3").gives("c", "r3", "so"), answer: "c",
			want: `u:u "hi" | a:a+b ["yes","yes"] | u:v "on"`},
		{name: "of two requests with as many messages the one with the same",
			in:     twoTurns().add("w<", "user", `"message":{"role":"user","content":"other"}`).blob("h9", "user", `"other"`).request("r9", "", 0, "h9").gives("x", "r9", "no").say("y<b", "on").request("r2", "", 0, "h1", "h2", "h3").gives("c", "r2", "so"),
			answer: "c", want: `u:u "hi" | a:a+b ["yes","yes"] | u:y "on"`},
		{name: "a message that no file holds", in: twoTurns().request("r2", "", 0, "h1", "h8", "h3").request("r1b", "", 0, "h7").gives("c", "r2", "so"), answer: "c",
			want: `u:u "hi" | a:a+b ["yes","yes"] | u:v "on"`},
		{name: "an answer to a request that is not there", in: talking().say("u", "hi").request("r2", "", 0, "h1", "h8").gives("c", "r2", "so"), answer: "c",
			want: `a: missing | a: missing`},
		{name: "messages that the context does not have are of no known entry", in: talking().say("u", "hi").blob("h1", "user", `"hi"`).blob("h2", "assistant", `"other"`).request("r", "", 0, "h1", "h2").gives("a", "r", "x"), answer: "a",
			want: `u: "hi" | a: "other"`},
		{name: "an answer without a request", in: talking().say("u", "hi").reply("a", "yes"), answer: "a", wrong: session.ErrNotFound},
		{name: "a question has none", in: twoTurns(), answer: "u", wrong: session.ErrNotFound},
		{name: "a request that is not there", in: talking().say("u", "hi").gives("a", "gone", "yes"), answer: "a", wrong: session.ErrNotFound},
		{name: "a request that goes on from one that is not there", in: talking().say("u", "hi").request("r", "gone", 1).gives("a", "r", "yes"), answer: "a", wrong: session.ErrNotFound},
		{name: "a request that goes on from itself", in: talking().say("u", "hi").request("r", "q", 1).request("q", "r", 1).gives("a", "r", "yes"), answer: "a", wrong: session.ErrInvalid},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree, read := opened(t, files{"s.jsonl": c.in.text.String()}, "s.jsonl")
			resolve, err := findRequest(tree, tree.FindID(c.answer))
			var r *session.Request
			if err == nil {
				r, err = resolve(read)
			}
			if !errors.Is(err, c.wrong) {
				t.Fatalf("error %v, want %v", err, c.wrong)
			}
			if err != nil {
				return
			}
			if got := inShortForm(r); got != c.want {
				t.Errorf("messages\n got %s\nwant %s", got, c.want)
			}
		})
	}
	tree, read := opened(t, files{"s.jsonl": twoTurns().text.String()}, "s.jsonl")
	resolve, err := findRequest(tree, tree.FindID("a"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := resolve(read)
	if err != nil || string(r.System) != `[{"type":"text","text":"be"}]` || string(r.Tools) != `[{"name":"Bash"}]` || string(r.Params) != `{"model":"m"}` || r.Source != "sdk" {
		t.Errorf("request %+v, %v", r, err)
	}
}

func TestRequestOf_fork(t *testing.T) {
	t.Parallel()
	original := talking().say("u", "hi").blob("h1", "user", `"hi"`).request("r1", "", 0, "h1").gives("a", "r1", "yes")
	fork := talking().say("u", "hi").add("a", "assistant", `"requestRef":"r1","requestSessionId":"s","message":{"id":"m-a","role":"assistant","content":[{"type":"text","text":"yes"}]}`)
	f := files{"s.jsonl": original.text.String(), "f.jsonl": strings.ReplaceAll(fork.text.String(), `"sessionId":"s"`, `"sessionId":"f"`)}
	tree, read := opened(t, f, "f.jsonl", "s.jsonl")
	resolve, err := findRequest(tree, tree.FindID("a"))
	if err != nil {
		t.Fatal(err)
	}
	if r, err := resolve(read); err != nil || inShortForm(r) != `u:u "hi"` {
		t.Errorf("the request of a copied answer: %v, %v, want that of the original's file", r, err)
	}
	alone, _ := opened(t, f, "f.jsonl")
	if _, err := findRequest(alone, alone.FindID("a")); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("without the original's file: %v, want %v", err, session.ErrNotFound)
	}
}
