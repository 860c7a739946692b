package path_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/slowtest"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/path"
	"sessiontree/internal/web/viewtest"
)

// claudeScript returns the lines of a session with streamed replies, a compaction and running
// totals.
func claudeScript() []string {
	var lines []string
	second := 0
	line := func(id, parent, typ, rest string) {
		second++
		from := "null"
		if parent != "" {
			from = fmt.Sprintf("%q", parent)
		}
		lines = append(lines, fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"cwd":"/home/dev/proj","sessionId":"11111111-0000-4000-8000-00000000000a","version":"2.1.330","type":%q,"uuid":%q,"timestamp":"2026-03-01T10:00:%02d.000Z",%s}`+"\n", from, typ, id, second, rest))
	}
	answer := func(id, parent, request string, output int, content string) {
		line(id, parent, "assistant", fmt.Sprintf(`"requestId":%q,"message":{"id":"m-%s","type":"message","role":"assistant","model":"claude-opus-4-5","content":[%s],"usage":{"input_tokens":1000,"output_tokens":%d}}`, request, request, content, output))
	}
	totals := func(input, output int) {
		lines = append(lines, fmt.Sprintf(`{"type":"cost-state","sessionId":"11111111-0000-4000-8000-00000000000a","totalCostUSD":1,"modelUsage":{"claude-opus-4-5":{"inputTokens":%d,"outputTokens":%d}}}`+"\n", input, output))
	}
	line("u1", "", "user", `"message":{"role":"user","content":"Draw a bird"}`)
	answer("a1", "u1", "r1", 10, `{"type":"thinking","thinking":"A wren would do.","signature":"c2ln"}`)
	answer("a2", "a1", "r1", 200, `{"type":"text","text":"Here it is."}`)
	answer("a3", "a2", "r1", 2000, `{"type":"tool_use","id":"t1","name":"Write","input":{"file_path":"/home/dev/proj/bird.svg","content":"<svg/>"}}`)
	line("r1", "a3", "user", `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}`)
	answer("a4", "r1", "r2", 100, `{"type":"tool_use","id":"t2","name":"Bash","input":{"command":"ls"}}`)
	line("r2", "a4", "user", `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":"bird.svg"}]}`)
	answer("a5", "r2", "r3", 1000, `{"type":"text","text":"Done."}`)
	totals(3000, 3100)
	lines = append(lines, `{"parentUuid":null,"logicalParentUuid":"a5","isSidechain":false,"cwd":"/home/dev/proj","sessionId":"11111111-0000-4000-8000-00000000000a","version":"2.1.330","type":"system","subtype":"compact_boundary","content":"Conversation compacted","uuid":"c1","timestamp":"2026-03-01T10:01:00.000Z","compactMetadata":{"trigger":"manual","preTokens":5000}}`+"\n")
	second = 51
	line("u2", "c1", "user", `"isCompactSummary":true,"message":{"role":"user","content":"The user wanted a bird."}`)
	line("u3", "u2", "user", `"message":{"role":"user","content":"And a cat"}`)
	answer("a6", "u3", "r4", 1000, `{"type":"text","text":"A cat."}`)
	totals(14000, 8100) // 10,000 and 4,000 more than the answers
	line("u4", "a6", "user", `"message":{"role":"user","content":"Thanks"}`)
	answer("a7", "u4", "r5", 10, `{"type":"text","text":"You are welcome."}`)
	return lines
}

// Each reply shows once what it cost, and a compaction shows the requests that only
// the running totals include.
func TestPath_costs(t *testing.T) {
	sess := viewtest.Open(t, strings.Join(claudeScript(), ""))
	got := map[string]string{}
	for _, m := range viewtest.DescribeItems(viewtest.PathOf(t, sess, view.Params{}, path.Query{After: view.BeforeFirstEntry, N: 200}).Items) {
		if f := m.Foot; f != nil {
			got[m.ID] = strings.Join([]string{f.Model, f.Duration, f.Input, f.Output, f.Cost}, "|")
		}
		if m.Kind == "pack" {
			got[m.ID] = m.Detail
		}
		for _, tool := range m.Tools {
			if tool.Cost != "" {
				got[m.ID+" "+tool.Name] = tool.Cost
			}
		}
	}
	want := map[string]string{
		"e-a1":      "claude-opus-4-5|3.0s|1.0k|2,000|$0.06", // 1,000 at $5 and 2,000 at $25 a million
		"e-a5":      "claude-opus-4-5|1.0s|1.0k|1,000|$0.03",
		"t-a3 Bash": "claude-opus-4-5, 1.0s, 1.0k tokens in, 100 out, $0.0075. Tokens: input 1,000; output 100. At API prices of " + view.Config{}.PriceTable().Date.Format("2 January 2006"),
		"e-c1":      "manual, 8 entries summarised, 1 other request $0.15", "e-a6": "claude-opus-4-5|1.0s|1.0k|1,000|$0.03", "e-a7": "claude-opus-4-5|1.0s|1.0k|10|$0.0053",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A path that grows line by line equals a fresh page: streamed lines complete an answer, and
// later totals tell what a compaction cost.
func TestPath_anchorOfCosts(t *testing.T) {
	slowtest.SkipIfShort(t)
	all := claudeScript()
	whole := path.Query{After: view.BeforeFirstEntry, N: 200}
	file := filepath.Join(t.TempDir(), "11111111-0000-4000-8000-00000000000a.jsonl")
	for n := 1; n < len(all); n++ {
		sess := viewtest.OpenFile(t, file, strings.Join(all[:n], ""))
		for to := n + 1; to <= len(all); to++ {
			old := viewtest.PathOf(t, sess, view.Params{}, whole)
			if err := os.WriteFile(file, []byte(strings.Join(all[:to], "")), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := sess.Refresh(context.Background()); err != nil {
				t.Fatal(err)
			}
			tail := viewtest.PathOf(t, sess, view.Params{}, path.Query{After: old.Anchor, N: 200})
			want := viewtest.PathOf(t, sess, view.Params{}, whole).Items
			if diff := cmp.Diff(viewtest.WithoutKey(want, sess), viewtest.WithoutKey(grow(old.Items, tail.Items), sess)); diff != "" {
				t.Fatalf("after lines %d to %d, anchor %q:\n%s", n, to, old.Anchor, diff)
			}
		}
	}
}

// Prompts end the request before them, and few entries are sent again with each line: a prompt at
// the end, to which something may be attached.
func TestPath_anchorNearTheEnd(t *testing.T) {
	s := viewtest.Chain(3)
	s.Answer("a", "u2", "an answer")
	s.User("p1", "a", "a prompt")
	if m := viewtest.PathOf(t, viewtest.Open(t, s.Text()), view.Params{}, path.Query{After: view.BeforeFirstEntry, N: 200}); m.Anchor != "a" {
		t.Errorf("after a prompt the anchor is %q", m.Anchor)
	}
	for i := range 60 {
		id, parent := fmt.Sprint("n", i), fmt.Sprint("n", i-1)
		if i == 0 {
			s.Answer("b", "p1", "another answer")
			parent = "b"
		}
		s.Add(id, parent, fmt.Sprintf(`"type":"custom_message","customType":"x","content":"note %d","display":true`, i))
	}
	if m := viewtest.PathOf(t, viewtest.Open(t, s.Text()), view.Params{}, path.Query{After: view.BeforeFirstEntry, N: 200}); m.Anchor != "n59" {
		t.Errorf("60 entries after an answer the anchor is %q", m.Anchor)
	}
}
