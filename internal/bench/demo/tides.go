package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"sessiontree/internal/bench/transcript"
)

type o = transcript.O

const (
	tidesDir = "claude/-home-dev-tides/"
	tidesCwd = "/home/dev/tides"
	tides    = "5d1c7a90-4b1e-4c57-9a57-0f1e00000001"
	harbours = "5d1c7a90-4b1e-4c57-9a57-0f1e00000002"
)

// claudeFile writes lines as Claude Code does.
type claudeFile struct {
	session, agent string
	lines          []string
	last           string
	n              int
	now            time.Time
}

func claudeAt(session string, start time.Time) *claudeFile {
	return &claudeFile{session: session, now: start}
}

// line appends a line below the last one and answers its id.
func (f *claudeFile) line(typ string, more ...any) string {
	f.n++
	f.now = f.now.Add(7 * time.Second)
	id := fmt.Sprintf("%s-%s%04d-4000-8000-%s", f.session[len(f.session)-8:], f.agent, f.n, f.session[len(f.session)-12:])
	l := o{"parentUuid", nil, "isSidechain", f.agent != "", "userType", "external", "cwd", tidesCwd, "sessionId", f.session, "version", "2.1.173",
		"gitBranch", "main", "type", typ, "uuid", id, "timestamp", f.now.UTC().Format("2006-01-02T15:04:05.000Z")}
	if f.last != "" {
		l[1] = f.last
	}
	if f.agent != "" {
		l = append(l, "agentId", f.agent)
	}
	f.bare(append(l, more...))
	f.last = id
	return id
}

// bare appends a line that is no part of the chain.
func (f *claudeFile) bare(l o) {
	text, err := json.Marshal(l)
	if err != nil { // all of it is written here
		panic(err)
	}
	f.lines = append(f.lines, string(text))
}

func (f *claudeFile) user(text string) string {
	return f.line("user", "message", o{"role", "user", "content", text})
}

func (f *claudeFile) answer(reply string, tokens int, block o) string {
	return f.line("assistant", "requestId", "req_"+reply, "message", o{"id", "msg_" + reply, "type", "message", "role", "assistant", "model", "claude-opus-4-8",
		"content", []o{block}, "stop_reason", nil, "usage", o{"input_tokens", tokens, "output_tokens", 180}})
}

func (f *claudeFile) say(tokens int, text string) string {
	return f.answer(fmt.Sprint(f.session[len(f.session)-2:], f.agent, f.n), tokens, o{"type", "text", "text", text})
}

// use is a call of a tool and what it returned.
func (f *claudeFile) use(tokens int, tool string, input o, result string, details any) string {
	call := fmt.Sprintf("toolu_%s%s%03d", f.session[len(f.session)-2:], f.agent, f.n)
	f.answer(call, tokens, o{"type", "tool_use", "id", call, "name", tool, "input", input})
	failed := strings.HasPrefix(result, "Error: ")
	return f.line("user", "message", o{"role", "user", "content", []o{{"type", "tool_result", "tool_use_id", call, "content", result, "is_error", failed}}}, "toolUseResult", details)
}

func (f *claudeFile) data() []byte { return []byte(strings.Join(f.lines, "\n") + "\n") }

func todos(states ...string) o {
	words := []string{"Read the harmonic constants", "Compute the heights of a day", "Draw the curve"}
	list := make([]o, len(words))
	for i, w := range words {
		list[i] = o{"content", w, "status", states[i], "activeForm", w}
	}
	return o{"todos", list}
}

// tideTable is a session with an agent, a rewind and a compaction, and another one
// that goes on from it.
func tideTable() []session {
	f := claudeAt(tides, day.Add(-30*time.Hour))
	f.user("Print a tide table for tomorrow.<system-reminder>The user's editor is open on main.py.</system-reminder>")
	f.answer("t1", 9200, o{"type", "thinking", "thinking", "Heights need the harmonic constants of the harbour. Are they in the repository?"})
	f.answer("t1", 9200, o{"type", "text", "text", "I'll look at what is there before I write anything."})
	f.use(9400, "Bash", o{"command", "ls data", "description", "List the data"}, "brest.json\nhamburg.json", o{"stdout", "brest.json\nhamburg.json", "stderr", "", "interrupted", false})
	f.use(9800, "TodoWrite", todos("completed", "in_progress", "pending"), "Todos have been modified successfully.", nil)
	f.use(10100, "Read", o{"file_path", tidesCwd + "/tide.py"}, "     1→def height(t):\n     2→    return 0\n",
		o{"type", "text", "file", o{"filePath", tidesCwd + "/tide.py", "content", "def height(t):\n    return 0\n", "numLines", 2, "startLine", 1, "totalLines", 2}})
	f.use(10900, "Edit", o{"file_path", tidesCwd + "/tide.py", "old_string", "    return 0", "new_string", "    return mean + sum(a * cos(w * t - p) for a, w, p in parts)"}, "The file has been updated.",
		o{"filePath", tidesCwd + "/tide.py", "structuredPatch", []o{{"oldStart", 1, "oldLines", 2, "newStart", 1, "newLines", 2,
			"lines", []string{" def height(t):", "-    return 0", "+    return mean + sum(a * cos(w * t - p) for a, w, p in parts)"}}}})
	heights := f.say(11300, "`height` now adds the constituents up. **High water** tomorrow is at 04:12 and 16:38.")
	f.user("Draw it as ASCII.")
	f.say(12100, "```\n  ▂▄▆█▆▄▂▁▂▄▆█▆▄▂\n00    06    12    18\n```")
	f.last = heights
	f.user("Draw it as SVG, and check the numbers against a second source.")
	f.use(12600, "Task", o{"description", "Check against the almanac", "prompt", "Compare the heights of `tide.py` for tomorrow with the almanac in docs/.", "subagent_type", "Explore"},
		"All four extremes agree within 3 cm.", o{"status", "completed", "agentId", "a7f3c21", "totalDurationMs", 21400, "totalTokens", 18250, "totalToolUseCount", 2, "content", []o{{"type", "text", "text", "All four extremes agree within 3 cm."}}})
	f.use(13900, "TodoWrite", todos("completed", "completed", "in_progress"), "Todos have been modified successfully.", nil)
	f.use(14200, "Bash", o{"command", "python3 draw.py > tide.svg", "description", "Draw"}, "Error: Exit code 1\nModuleNotFoundError: No module named 'svgwrite'", nil)
	end := f.say(14600, "The almanac agrees within 3 cm. `svgwrite` is missing; I'll write the SVG by hand.")
	f.line("user", "isMeta", true, "message", o{"role", "user", "content", "<local-command-caveat>Caveat: The messages below were generated by the user while running local commands.</local-command-caveat>"})
	f.user("<command-name>/compact</command-name>\n<command-message>compact</command-message>\n<command-args></command-args>")
	last := f.user("<local-command-stdout>Compacted</local-command-stdout>")
	f.last = ""
	f.line("system", "subtype", "compact_boundary", "content", "Conversation compacted", "level", "info", "logicalParentUuid", last, "compactMetadata", o{"trigger", "manual", "preTokens", 115200})
	f.line("user", "isCompactSummary", true, "isVisibleInTranscriptOnly", true, "message", o{"role", "user", "content",
		"This session is being continued from a previous conversation that ran out of context. Heights are computed and checked; the SVG is to be written without a library."})
	f.user("Go on with the SVG.")
	leaf := f.say(3100, "`tide.svg` is drawn: one path, hours below it, the extremes labelled.")
	f.bare(o{"type", "ai-title", "aiTitle", "Tide table as SVG", "sessionId", tides})
	f.bare(o{"type", "last-prompt", "lastPrompt", "Go on with the SVG.", "leafUuid", leaf, "sessionId", tides})

	a := claudeAt(tides, f.now.Add(-4*time.Minute))
	a.agent = "a7f3c21"
	a.user("Compare the heights of `tide.py` for tomorrow with the almanac in docs/.")
	a.use(6100, "Grep", o{"pattern", "High water", "path", "docs"}, "docs/almanac.txt:12: 04:11 6.2 m\ndocs/almanac.txt:13: 16:39 6.0 m", nil)
	a.say(6800, "All four extremes agree within 3 cm.")

	g := claudeAt(harbours, day.Add(-6*time.Hour))
	g.last = end
	g.user("Add the other harbours.")
	g.use(15100, "Glob", o{"pattern", "data/*.json"}, tidesCwd+"/data/brest.json\n"+tidesCwd+"/data/hamburg.json", nil)
	g.say(15600, "Hamburg uses the same code; only its file of constants differs.")
	dir := tidesDir + tides + "/subagents/agent-a7f3c21"
	return []session{
		{tidesDir + tides + ".jsonl", f.data()},
		{dir + ".jsonl", a.data()},
		{dir + ".meta.json", []byte(`{"agentType":"Explore","description":"Check against the almanac"}` + "\n")},
		{tidesDir + harbours + ".jsonl", g.data()},
	}
}
