package claude

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sessiontree/internal/session"
)

// recorder writes a session line by line, each as a child of the one before it.
type recorder struct {
	text  strings.Builder
	above string
	clock int
}

// add writes a line of type typ with these keys. An id of the form "a<b" has b as its parent, "a<"
// has none.
func (r *recorder) add(id, typ, keys string) *recorder {
	id, up, named := strings.Cut(id, "<")
	if !named {
		up = r.above
	}
	parent := "null"
	if up != "" {
		parent = fmt.Sprintf("%q", up)
	}
	r.clock++
	fmt.Fprintf(&r.text, `{"parentUuid":%s,"type":%q,"uuid":%q,"timestamp":"2026-11-22T08:%02d:%02d.000Z","sessionId":"s","cwd":"/w",%s}`+"\n",
		parent, typ, id, r.clock/60, r.clock%60, keys)
	r.above = id
	return r
}

func (r *recorder) say(id, text string) *recorder {
	return r.add(id, "user", fmt.Sprintf(`"message":{"role":"user","content":%q}`, text))
}

// answer writes one block of an answer with the given message id.
func (r *recorder) answer(id, message, block string) *recorder {
	return r.add(id, "assistant", fmt.Sprintf(`"message":{"id":%q,"role":"assistant","model":"claude-sonnet-4-5","content":[%s]}`, message, block))
}

func (r *recorder) reply(id, text string) *recorder {
	return r.answer(id, "m-"+id, fmt.Sprintf(`{"type":"text","text":%q}`, text))
}

func (r *recorder) call(id, message, use string) *recorder {
	return r.answer(id, message, fmt.Sprintf(`{"type":"tool_use","id":%q,"name":"Bash","input":{}}`, use))
}

func (r *recorder) result(id, use, content string) *recorder {
	return r.add(id, "user", fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":%s}]}`, use, content))
}

// remind writes an attachment rendered for a role.
func (r *recorder) remind(id, role, text string) *recorder {
	return r.add(id, "attachment", fmt.Sprintf(`"attachment":{"type":"x"},"rendered":[{"content":"<system-reminder>\n%s\n</system-reminder>"}],"renderedRole":%q`, text, role))
}

// model writes the attachment that names the model.
func (r *recorder) model(id, name string) *recorder {
	return r.add(id, "attachment", fmt.Sprintf(`"attachment":{"type":"model","identity":{"modelId":%q}}`, name))
}

func (r *recorder) boundary(id, metadata string) *recorder {
	return r.add(id, "system", fmt.Sprintf(`"subtype":"compact_boundary","content":"Conversation compacted","compactMetadata":{%s}`, metadata))
}

func (r *recorder) summary(id string) *recorder {
	return r.add(id, "user", `"isCompactSummary":true,"isVisibleInTranscriptOnly":true,"message":{"role":"user","content":"the summary"}`)
}

func talking() *recorder { return &recorder{} }

// context returns the context at a line in short form: "u:id text" for each message, separated by
// "|", "+id" for a line merged into it.
func (r *recorder) context(t *testing.T, leaf string) string {
	t.Helper()
	tree, read := opened(t, files{"s.jsonl": r.text.String()}, "s.jsonl")
	p := tree.FindID(leaf)
	if leaf != "" && p == session.NoPos {
		t.Fatalf("there is no line %q", leaf)
	}
	var words []string
	for _, item := range tree.Context(p).Items {
		word := item.Role[:1] + ":" + tree.At(item.Pos).ID
		line, _ := read(item.Pos)
		lines := [][]byte{line}
		for _, with := range item.MergedEntries {
			word += "+" + tree.At(with).ID
			line, _ := read(with)
			lines = append(lines, line)
		}
		blocks, err := decodeSentBlocks(item, lines)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range blocks {
			word += " " + strings.ReplaceAll(strings.NewReplacer("<system-reminder>\n", "<", "\n</system-reminder>", ">").Replace(b.Text), "\n", "/")
			for _, part := range b.Content {
				word += "[" + part.Type + "]"
			}
		}
		words = append(words, strings.TrimSpace(word))
	}
	return strings.Join(words, " | ")
}

func TestContext(t *testing.T) {
	t.Parallel()
	const failed = `"isApiErrorMessage":true,"message":{"id":"e","role":"assistant","model":"<synthetic>","content":[{"type":"text","text":"API Error"}]}`
	kept := `"preservedMessages":{"anchorUuid":"s","uuids":["c","a"],"allUuids":["b","c","a"]}`
	for _, c := range []struct {
		name string
		in   *recorder
		leaf string
		want string
	}{
		{"questions and answers", talking().say("u", "hi").reply("a", "yes").say("v", "on"), "v", "u:u hi | a:a yes | u:v on"},
		{"what is on another branch is not sent", talking().say("u", "hi").reply("a", "yes").say("v<a", "left").say("w<a", "on"), "w", "u:u hi | a:a yes | u:w on"},
		{"nothing at no leaf", talking().say("u", "hi"), "", ""},
		{"the program's notes and what is for the transcript only are not sent",
			talking().say("u", "hi").add("s", "system", `"subtype":"turn_duration","content":"took 2 s"`).
				add("x", "user", `"isVisibleInTranscriptOnly":true,"message":{"role":"user","content":"shown"}`).
				add("y", "user", `"isMeta":true,"message":{"role":"user","content":"meant"}`), "y", "u:u hi | u:y meant"},
		{"a local command is a text of the user with its tags",
			talking().say("u", "hi").reply("a", "yes").add("s", "system", `"subtype":"local_command","content":"/branch side"`).
				add("o", "system", `"subtype":"local_command","content":"<local-command-stdout>no</local-command-stdout>"`), "o",
			"u:u hi | a:a yes | u:s /branch side | u:o <local-command-stdout>no</local-command-stdout>"},
		{"reminders come before the question they are recorded after",
			talking().say("u", "hi").remind("r", "system", "one").remind("q", "user", "two").reply("a", "yes").say("v", "on").remind("p", "user", "three"), "p",
			"u:r <one> | u:q <two> | u:u hi | a:a yes | u:p <three> | u:v on"},
		{"attachments that were not rendered are not sent", talking().say("u", "hi").add("x", "attachment", `"attachment":{"type":"file","filename":"a"}`), "x", "u:u hi"},
		{"after a tool's result reminders are part of it",
			talking().say("u", "hi").call("c", "m", "t1").result("d", "t1", `"out"`).remind("r", "system", "one").remind("q", "user", "two"), "q",
			"u:u hi | a:c | u:d+r+q out//<one>//<two>"},
		{"also of one that said nothing", talking().say("u", "hi").call("c", "m", "t1").result("d", "t1", `""`).remind("r", "system", "one"), "r", "u:u hi | a:c | u:d+r <one>"},
		{"and blocks of one that is a list",
			talking().say("u", "hi").call("c", "m", "t1").result("d", "t1", `[{"type":"text","text":"out"},{"type":"image","source":{"media_type":"image/png"}}]`).remind("r", "system", "one"), "r",
			"u:u hi | a:c | u:d+r out/<one>[text][image][text]"},
		{"a reminder that stands beside results stays a block of its own",
			talking().say("u", "hi").call("c", "m", "t1").result("d", "t1", `"out"`).remind("r", "system", "one").
				add("q", "attachment", `"attachment":{"type":"x"},"rendered":[{"content":"beside"}],"renderedRole":"user","renderedBesideToolResult":true`), "q",
			"u:u hi | a:c | u:d+r out//<one> | u:q beside"},
		{"results of calls side by side are all sent, in the order of the file",
			talking().say("u", "hi").answer("b", "m", `{"type":"text","text":"both"}`).call("c", "m", "t1").call("d", "m", "t2").
				result("e<d", "t2", `"two"`).result("f<c", "t1", `"one"`).remind("r", "system", "x").say("v", "on"), "v",
			"u:u hi | a:b both | a:c | a:d | u:e two | u:f+r one//<x> | u:v on"},
		{"blocks that were recorded after the first result stand before it",
			talking().say("u", "hi").call("c", "m", "t1").result("e", "t1", `"one"`).call("d", "m", "t2").result("f", "t2", `"two"`).say("v", "on"), "v",
			"u:u hi | a:c | a:d | u:e one | u:f two | u:v on"},
		{"an answer that the path ends in is as far as it goes",
			talking().say("u", "hi").call("c", "m", "t1").call("d", "m", "t2").result("e<c", "t1", `"one"`), "c", "u:u hi | a:c"},
		{"a failed request is not sent, and reminders stay below it",
			talking().say("u", "hi").remind("r", "system", "one").add("e", "assistant", failed).say("v", "on").remind("q", "system", "two"), "q",
			"u:r <one> | u:u hi | u:q <two> | u:v on"},
		{"what the program answered in the model's place is sent",
			talking().say("u", "hi").add("e", "assistant", `"message":{"id":"e","role":"assistant","model":"<synthetic>","content":[{"type":"text","text":"No response requested."}]}`).say("v", "on"), "v",
			"u:u hi | a:e No response requested. | u:v on"},
		{"an interruption is sent", talking().say("u", "hi").reply("a", "ye").say("i", "[Request interrupted by user]").say("v", "on"), "v",
			"u:u hi | a:a ye | u:i [Request interrupted by user] | u:v on"},
		{"a compaction stands for what is before it, its own text is not sent",
			talking().say("u", "hi").reply("a", "yes").boundary("k<", "").summary("s").say("v", "on"), "v", "u:s the summary | u:v on"},
		{"preserved messages follow the summary, in their order",
			talking().say("b", "hi").reply("a", "yes").add("c", "system", `"subtype":"local_command","content":"/x"`).boundary("k<", kept).summary("s").
				add("m", "user", `"isMeta":true,"message":{"role":"user","content":"caveat"}`).say("v", "on"), "v",
			"u:s the summary | u:c /x | a:a yes | u:m caveat | u:v on"},
		{"older versions name the first and the last of them",
			talking().say("b", "hi").reply("a", "yes").say("w", "more").boundary("k<", `"preservedSegment":{"headUuid":"a","anchorUuid":"s","tailUuid":"w"}`).summary("s").say("v", "on"), "v",
			"u:s the summary | a:a yes | u:w more | u:v on"},
		{"of two compactions the last one counts",
			talking().say("u", "hi").reply("a", "yes").boundary("k<", kept).summary("s").say("v", "on").reply("w", "so").boundary("l<", "").summary("z").say("x", "end"), "x",
			"u:z the summary | u:x end"},
		{"preserved messages that are not there are passed over",
			talking().boundary("k<", kept).summary("s").say("v", "on"), "v", "u:s the summary | u:v on"},
		{"lines that name one another end the path", talking().say("u<v", "hi").say("v", "on"), "v", "u:u hi | u:v on"},
		{"the end of a task is announced", talking().say("u", "hi").reply("a", "yes").
			add("n", "user", `"origin":{"kind":"task-notification"},"message":{"role":"user","content":"<task-notification>x</task-notification>"}`), "n",
			"u:u hi | a:a yes | u:n <" + strings.ReplaceAll(strings.TrimPrefix(taskNoticeHead, reminderStart), "\n", "/") + "<task-notification>x</task-notification>>"},
		{"newer models are sent the system's reminders as messages of its own, at the end of the turn",
			talking().say("u", "hi").model("o", "claude-opus-5-5").remind("r", "system", "one").remind("q", "user", "two").add("y", "user", `"isMeta":true,"message":{"role":"user","content":"meant"}`).
				remind("p", "system", "three").call("c", "m", "t1").model("n", "claude-opus-5-5").result("d", "t1", `"out"`).remind("x", "system", "four").remind("z", "user", "five"), "z",
			"u:q <two> | u:u hi | u:y meant | s:r+p one//three | a:c | u:d out | u:z <five> | s:x four"},
		{"and what the user typed meanwhile without tags",
			talking().say("u", "hi").call("c", "m", "t1").model("n", "claude-opus-5").result("d", "t1", `"out"`).
				add("q", "attachment", `"attachment":{"type":"queued_command","prompt":"and","humanTurn":true},"rendered":[{"content":"<system-reminder>\nand\n</system-reminder>"}],"renderedRole":"system"`), "q",
			"u:u hi | a:c | u:d out | u:q and"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.in.context(t, c.leaf); got != c.want {
				t.Errorf("context at %q\n got %s\nwant %s", c.leaf, got, c.want)
			}
		})
	}
}

func TestContext_agent(t *testing.T) {
	t.Parallel()
	main := talking().say("u", "hi").call("c", "m", "t1")
	agent := talking()
	agent.add("x", "user", `"isSidechain":true,"agentId":"7","message":{"role":"user","content":"look"}`).
		add("y", "assistant", `"isSidechain":true,"agentId":"7","message":{"id":"n","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":"seen"}]}`)
	main.result("d", "t1", `"seen"`)
	main.text.WriteString(`{"type":"mode","mode":"normal","sessionId":"s"}` + "\n")
	f := files{"s.jsonl": main.text.String(), "s/subagents/agent-7.jsonl": agent.text.String(), "s/subagents/agent-7.meta.json": `{"toolUseId":"t1"}`}
	tree, _ := opened(t, f, "s.jsonl")
	ids := func(leaf string) (all []string) {
		for _, item := range tree.Context(tree.FindID(leaf)).Items {
			all = append(all, tree.At(item.Pos).ID)
		}
		return all
	}
	if got := ids("y"); !slices.Equal(got, []string{"x", "y"}) {
		t.Errorf("the agent's context is %v, want its own lines", got)
	}
	if got := ids("d"); !slices.Equal(got, []string{"u", "c", "d"}) {
		t.Errorf("the session's context is %v, want no line of the agent", got)
	}
	last := tree.At(session.Pos(tree.Len() - 1))
	if got := ids("L4"); last.ID == "" || !slices.Equal(got, []string{"u", "c", "d"}) {
		t.Errorf("the context at a line without an id is %v, want that of the line above it", got)
	}
}

func TestContext_state(t *testing.T) {
	t.Parallel()
	r := talking().say("u", "hi")
	r.add("a", "assistant", `"message":{"id":"m","role":"assistant","model":"claude-opus-4-5","usage":{"input_tokens":40,"output_tokens":2},"content":[{"type":"text","text":"yes"}]}`)
	r.add("e", "assistant", `"message":{"id":"e","role":"assistant","model":"<synthetic>","usage":{"input_tokens":0},"content":[{"type":"text","text":"No response requested."}]}`)
	r.say("v", "on").model("n", "claude-opus-5-5").boundary("k<", `"preTokens":42`).summary("s")
	tree, _ := opened(t, files{"s.jsonl": r.text.String()}, "s.jsonl")
	for _, c := range []struct {
		leaf, model string
		tokens      int64
	}{{"u", "", 0}, {"a", "claude-opus-4-5", 42}, {"e", "claude-opus-4-5", 42}, {"n", "claude-opus-5-5", 42}, {"s", "claude-opus-5-5", 0}} {
		got := tree.Context(tree.FindID(c.leaf))
		if got.Model != c.model || got.Tokens != c.tokens {
			t.Errorf("at %s: %s, %d tokens, want %s, %d", c.leaf, got.Model, got.Tokens, c.model, c.tokens)
		}
	}
}

func TestStyleOf(t *testing.T) {
	t.Parallel()
	for model, want := range map[string]reminderStyle{
		"":                           {},
		"claude-3-5-haiku-20241022":  {},
		"claude-sonnet-4-20250514":   {},
		"claude-sonnet-4-5-20250929": {},
		"claude-opus-4-7":            {},
		"claude-opus-4-8":            {system: true},
		"claude-opus-5":              {system: true},
		"claude-opus-5-5":            {system: true},
		"claude-sonnet-5":            {system: true, tagged: true},
		"a-model-of-somebody-else":   {system: true},
	} {
		if got := reminderStyleFor(model); got != want {
			t.Errorf("styleOf(%q) = %+v, want %+v", model, got, want)
		}
	}
}
