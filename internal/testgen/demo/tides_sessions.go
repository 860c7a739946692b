package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"sessiontree/internal/testgen/transcript"
)

type object = transcript.Object

const (
	tidesDir          = "claude/-home-dev-tides/"
	tidesCwd          = "/home/dev/tides"
	tidesSessionID    = "5d1c7a90-4b1e-4c57-9a57-0f1e00000001"
	harboursSessionID = "5d1c7a90-4b1e-4c57-9a57-0f1e00000002"
)

// claudeSession is a session file of Claude Code.
type claudeSession struct {
	session, agent string
	lines          []string
	last           string
	n              int
	now            time.Time
}

func newClaudeSession(session string, start time.Time) *claudeSession {
	return &claudeSession{session: session, now: start}
}

// addLine appends a line below the last one and returns its id.
func (f *claudeSession) addLine(typ string, more ...any) string {
	f.n++
	f.now = f.now.Add(7 * time.Second)
	id := fmt.Sprintf("%s-%s%04d-4000-8000-%s", f.session[len(f.session)-8:], f.agent, f.n, f.session[len(f.session)-12:])
	l := object{"parentUuid", nil, "isSidechain", f.agent != "", "userType", "external", "cwd", tidesCwd, "sessionId", f.session, "version", "2.1.173",
		"gitBranch", "main", "type", typ, "uuid", id, "timestamp", f.now.UTC().Format("2006-01-02T15:04:05.000Z")}
	if f.last != "" {
		l[1] = f.last
	}
	if f.agent != "" {
		l = append(l, "agentId", f.agent)
	}
	f.addUnchainedLine(append(l, more...))
	f.last = id
	return id
}

// addUnchainedLine appends a line without a parent.
func (f *claudeSession) addUnchainedLine(l object) {
	text, err := json.Marshal(l)
	if err != nil { // all values are defined in this package
		panic(err)
	}
	f.lines = append(f.lines, string(text))
}

func (f *claudeSession) addPrompt(text string) string {
	return f.addLine("user", "message", object{"role", "user", "content", text})
}

func (f *claudeSession) addAnswer(reply string, tokens int, block object) string {
	return f.addLine("assistant", "requestId", "req_"+reply, "message", object{"id", "msg_" + reply, "type", "message", "role", "assistant", "model", "claude-opus-4-8",
		"content", []object{block}, "stop_reason", nil, "usage", object{"input_tokens", tokens, "output_tokens", 180}})
}

func (f *claudeSession) addReply(tokens int, text string) string {
	return f.addAnswer(fmt.Sprint(f.session[len(f.session)-2:], f.agent, f.n), tokens, object{"type", "text", "text", text})
}

// addToolCall appends a tool call and its result.
func (f *claudeSession) addToolCall(tokens int, tool string, input object, result string, details any) {
	call := fmt.Sprintf("toolu_%s%s%03d", f.session[len(f.session)-2:], f.agent, f.n)
	f.addAnswer(call, tokens, object{"type", "tool_use", "id", call, "name", tool, "input", input})
	failed := strings.HasPrefix(result, "Error: ")
	f.addLine("user", "message", object{"role", "user", "content", []object{{"type", "tool_result", "tool_use_id", call, "content", result, "is_error", failed}}}, "toolUseResult", details)
}

func (f *claudeSession) fileBytes() []byte { return []byte(strings.Join(f.lines, "\n") + "\n") }

func todoList(states ...string) object {
	words := []string{"Read the harmonic constants", "Compute the heights of a day", "Draw the curve"}
	list := make([]object, len(words))
	for i, w := range words {
		list[i] = object{"content", w, "status", states[i], "activeForm", w}
	}
	return object{"todos", list}
}

// tidesSessions returns a session with an agent, a rewind and a compaction, another
// one that continues it, and one that waits.
func tidesSessions() []sampleSession {
	f := newClaudeSession(tidesSessionID, newestDay.Add(-30*time.Hour))
	f.addPrompt("Print a tide table for tomorrow.<system-reminder>The user's editor is open on main.py.</system-reminder>")
	f.addAnswer("t1", 9200, object{"type", "thinking", "thinking", "Heights need the harmonic constants of the harbour. Are they in the repository?"})
	f.addAnswer("t1", 9200, object{"type", "text", "text", "I'll look at what is there before I write anything."})
	f.addToolCall(9400, "Bash", object{"command", "ls data", "description", "List the data"}, "brest.json\nhamburg.json", object{"stdout", "brest.json\nhamburg.json", "stderr", "", "interrupted", false})
	f.addToolCall(9800, "TodoWrite", todoList("completed", "in_progress", "pending"), "Todos have been modified successfully.", nil)
	f.addToolCall(10100, "Read", object{"file_path", tidesCwd + "/tide.py"}, "     1→def height(t):\n     2→    return 0\n",
		object{"type", "text", "file", object{"filePath", tidesCwd + "/tide.py", "content", "def height(t):\n    return 0\n", "numLines", 2, "startLine", 1, "totalLines", 2}})
	f.addToolCall(10900, "Edit", object{"file_path", tidesCwd + "/tide.py", "old_string", "    return 0", "new_string", "    return mean + sum(a * cos(w * t - p) for a, w, p in parts)"}, "The file has been updated.",
		object{"filePath", tidesCwd + "/tide.py", "structuredPatch", []object{{"oldStart", 1, "oldLines", 2, "newStart", 1, "newLines", 2,
			"lines", []string{" def height(t):", "-    return 0", "+    return mean + sum(a * cos(w * t - p) for a, w, p in parts)"}}}})
	heights := f.addReply(11300, "`height` now adds the constituents up. **High water** tomorrow is at 04:12 and 16:38.")
	f.addPrompt("Draw it as ASCII.")
	f.addReply(12100, "```\n  ▂▄▆█▆▄▂▁▂▄▆█▆▄▂\n00    06    12    18\n```")
	f.last = heights
	f.addPrompt("Draw it as SVG, and check the numbers against a second source.")
	f.addToolCall(12600, "Task", object{"description", "Check against the almanac", "prompt", "Compare the heights of `tide.py` for tomorrow with the almanac in docs/.", "subagent_type", "Explore"},
		"All four extremes agree within 3 cm.", object{"status", "completed", "agentId", "a7f3c21", "totalDurationMs", 21400, "totalTokens", 18250, "totalToolUseCount", 2, "content", []object{{"type", "text", "text", "All four extremes agree within 3 cm."}}})
	f.addToolCall(13900, "TodoWrite", todoList("completed", "completed", "in_progress"), "Todos have been modified successfully.", nil)
	f.addToolCall(14200, "Bash", object{"command", "python3 draw.py > tide.svg", "description", "Draw"}, "Error: Exit code 1\nModuleNotFoundError: No module named 'svgwrite'", nil)
	end := f.addReply(14600, "The almanac agrees within 3 cm. `svgwrite` is missing; I'll write the SVG by hand.")
	f.addLine("user", "isMeta", true, "message", object{"role", "user", "content", "<local-command-caveat>Caveat: The messages below were generated by the user while running local commands.</local-command-caveat>"})
	f.addPrompt("<command-name>/compact</command-name>\n<command-message>compact</command-message>\n<command-args></command-args>")
	last := f.addPrompt("<local-command-stdout>Compacted</local-command-stdout>")
	f.last = ""
	f.addLine("system", "subtype", "compact_boundary", "content", "Conversation compacted", "level", "info", "logicalParentUuid", last, "compactMetadata", object{"trigger", "manual", "preTokens", 115200})
	f.addLine("user", "isCompactSummary", true, "isVisibleInTranscriptOnly", true, "message", object{"role", "user", "content",
		"This session is being continued from a previous conversation that ran out of context. Heights are computed and checked; the SVG is to be written without a library."})
	f.addPrompt("Go on with the SVG.")
	leaf := f.addReply(3100, "`tide.svg` is drawn: one path, hours below it, the extremes labelled.")
	f.addUnchainedLine(object{"type", "ai-title", "aiTitle", "Tide table as SVG", "sessionId", tidesSessionID})
	f.addUnchainedLine(object{"type", "last-prompt", "lastPrompt", "Go on with the SVG.", "leafUuid", leaf, "sessionId", tidesSessionID})

	a := newClaudeSession(tidesSessionID, f.now.Add(-4*time.Minute))
	a.agent = "a7f3c21"
	a.addPrompt("Compare the heights of `tide.py` for tomorrow with the almanac in docs/.")
	a.addToolCall(6100, "Grep", object{"pattern", "High water", "path", "docs"}, "docs/almanac.txt:12: 04:11 6.2 m\ndocs/almanac.txt:13: 16:39 6.0 m", nil)
	a.addReply(6800, "All four extremes agree within 3 cm.")

	g := newClaudeSession(harboursSessionID, newestDay.Add(-6*time.Hour))
	g.last = end
	g.addPrompt("Add the other harbours.")
	g.addToolCall(15100, "Glob", object{"pattern", "data/*.json"}, tidesCwd+"/data/brest.json\n"+tidesCwd+"/data/hamburg.json", nil)
	g.addReply(15600, "Hamburg uses the same code; only its file of constants differs.")
	dir := tidesDir + tidesSessionID + "/subagents/agent-a7f3c21"
	return []sampleSession{
		{tidesDir + tidesSessionID + ".jsonl", f.fileBytes()},
		{dir + ".jsonl", a.fileBytes()},
		{dir + ".meta.json", []byte(`{"agentType":"Explore","description":"Check against the almanac"}` + "\n")},
		{tidesDir + harboursSessionID + ".jsonl", g.fileBytes()},
		tidesWaitingSession(),
	}
}
