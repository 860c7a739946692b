package main

import (
	"strings"
	"time"
)

const waitingSessionID = "5d1c7a90-4b1e-4c57-9a57-0f1e00000003"

// tideSource is tide.py before the session that waits, and constantsCell a cell of its notebook.
const (
	tideSource = "def height(t):\n    return mean + sum(a * cos(w * t - p) for a, w, p in parts)\n"

	constantsCell = "import json\nparts = json.load(open('data/brest.json'))\nlen(parts)\n"
)

// addAttachment appends what Claude Code added to a prompt.
func (f *claudeSession) addAttachment(about ...any) {
	f.addLine("attachment", "attachment", object(about))
}

// addRefusedCall appends a tool call that the user refused, with the reason.
func (f *claudeSession) addRefusedCall(tokens int, tool string, input object, reason string) {
	call := "toolu_refused_" + tool
	f.addAnswer(call, tokens, object{"type", "tool_use", "id", call, "name", tool, "input", input})
	text := "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). The user provided the following reason for the rejection:  " + reason
	f.addLine("user", "message", object{"role", "user", "content", []object{{"type", "tool_result", "tool_use_id", call, "content", text, "is_error", true}}}, "toolUseResult", "Error: "+text)
}

// tidesWaitingSession returns a session with attachments and most of Claude Code's tools, which waits
// for the answer to a question.
func tidesWaitingSession() sampleSession {
	f := newClaudeSession(waitingSessionID, newestDay.Add(-20*time.Minute))
	f.addAttachment("type", "hook_success", "hookName", "SessionStart:startup", "hookEvent", "SessionStart", "command", "git fetch --quiet", "stdout", "main is up to date", "durationMs", 310)
	f.addAttachment("type", "nested_memory", "path", tidesCwd+"/CLAUDE.md", "content", object{"path", tidesCwd + "/CLAUDE.md", "type", "Project", "content", "Heights are in metres above chart datum.\nTimes are UTC.\n"})
	f.addPrompt("Tides at Brest are 20 minutes early in spring. Plan first. The heights come from @tide.py")
	f.addAttachment("type", "file", "filename", tidesCwd+"/tide.py", "displayPath", "tide.py",
		"content", object{"type", "text", "file", object{"filePath", tidesCwd + "/tide.py", "content", tideSource, "numLines", 2, "startLine", 1, "totalLines", 2}})
	f.addAttachment("type", "todo_reminder", "content", []object{}, "itemCount", 0)
	f.addAnswer("w1", 8800, object{"type", "thinking", "thinking", "Twenty minutes in spring only: the nodal corrections of the constituents are missing."})
	f.addAnswer("w1", 8800, object{"type", "text", "text", "The phases are fixed. Over 18.6 years they drift, which is what *nodal corrections* are for. I'll check how others apply them."})
	f.addToolCall(9300, "WebSearch", object{"query", "nodal corrections tidal constituents f u formulas"},
		"Web search results for query: \"nodal corrections tidal constituents f u formulas\"\n\nLinks: [{\"title\":\"Tidal constituents and nodal corrections\",\"url\":\"https://tides.example/constituents\"},{\"title\":\"Harmonic analysis of tides, chapter 4\",\"url\":\"https://ocean.example/harmonic/chapter-4\"},{\"title\":\"Schureman, Manual of Harmonic Analysis\",\"url\":\"https://library.example/schureman\"}]\n\nAll three give *f* and *u* as functions of the longitude of the Moon's node.\n\nREMINDER: You MUST include the sources above in your response to the user using markdown hyperlinks.",
		object{"query", "nodal corrections tidal constituents f u formulas", "durationSeconds", 4})
	f.addToolCall(10400, "WebFetch", object{"url", "https://tides.example/constituents", "prompt", "Which formulas for f and u does it give for M2, S2, N2, K1 and O1?"},
		"| constituent | f | u |\n|---|---|---|\n| M2, N2 | 1 − 0.037 cos N | −2.1° sin N |\n| K1 | 1.006 + 0.115 cos N | −8.9° sin N |\n| O1 | 1.009 + 0.187 cos N | 10.8° sin N |\n| S2 | 1 | 0 |", object{"code", 200, "codeText", "OK", "durationMs", 2140, "url", "https://tides.example/constituents"})
	f.addToolCall(11000, "mcp__tracker__get_issue", object{"id", "TIDE-48"}, `{"id":"TIDE-48","title":"High water early in spring","state":"In progress","assignee":"Mara"}`, nil)
	f.addToolCall(11200, "TodoWrite", object{"todos", []object{
		{"content", "Find the formulas", "status", "completed", "activeForm", "Finding the formulas"},
		{"content", "Apply them to the heights", "status", "in_progress", "activeForm", "Applying them"},
		{"content", "Compare a year with the almanac", "status", "pending", "activeForm", "Comparing"},
	}}, "Todos have been modified successfully.", nil)
	f.addRefusedCall(11800, "ExitPlanMode", object{"plan", "1. Compute the longitude of the node *N*\n2. Multiply each amplitude by *f*, add *u* to each phase\n3. Compare a year with the almanac"}, "also keep the old heights behind a flag")
	f.addToolCall(12300, "ExitPlanMode", object{"plan", "1. Compute the longitude of the node *N*\n2. Multiply each amplitude by *f*, add *u* to each phase\n3. Keep the old heights with `--no-nodal`\n4. Compare a year with the almanac"},
		"User has approved your plan. You can now start coding.", nil)
	f.addToolCall(12700, "NotebookEdit", object{"notebook_path", tidesCwd + "/constants.ipynb", "cell_id", "load", "new_source", strings.Replace(constantsCell, "len(parts)", "[p for p in parts if 'node' in p]", 1)},
		"Updated cell load", object{"notebook_path", tidesCwd + "/constants.ipynb", "cell_id", "load", "cell_type", "code", "language", "python", "edit_mode", "replace", "error", "",
			"new_source", strings.Replace(constantsCell, "len(parts)", "[p for p in parts if 'node' in p]", 1), "original_file", notebook(constantsCell)})
	f.addTideEdit(13100, 1, []string{" def height(t):", "-    return mean + sum(a * cos(w * t - p) for a, w, p in parts)", "+    n = node(t)", "+    return mean + sum(f(n) * a * cos(w * t - p + u(n)) for a, w, p, f, u in parts)"},
		"    return mean + sum(a * cos(w * t - p) for a, w, p in parts)", "    n = node(t)\n    return mean + sum(f(n) * a * cos(w * t - p + u(n)) for a, w, p, f, u in parts)")
	f.addTideEdit(13400, 1, []string{"+def node(t):", "+    \"\"\"Longitude of the Moon's ascending node at t, in radians.\"\"\"", "+    return radians(125.04 - 0.05295 * days(t))", "+", " def height(t):"},
		"def height(t):", "def node(t):\n    \"\"\"Longitude of the Moon's ascending node at t, in radians.\"\"\"\n    return radians(125.04 - 0.05295 * days(t))\n\ndef height(t):")
	f.addReply(13800, "High water at Brest in spring is now within 3 minutes of the almanac. Before I compare the whole year I need to know which one counts.")
	f.addAnswer("w9", 13900, object{"type", "tool_use", "id", "toolu_03ask", "name", "AskUserQuestion", "input", object{"questions", []object{{
		"question", "Which almanac should the year be compared with?", "header", "Almanac", "multiSelect", false,
		"options", []object{{"label", "The one in docs/", "description", "Printed in 2019, four harbours"}, {"label", "The port's tables", "description", "Of this year, Brest only"}, {"label", "Both", "description", "Differences between the two are listed apart"}},
	}}}})
	f.addUnchainedLine(object{"type", "ai-title", "aiTitle", "Nodal corrections for Brest", "sessionId", waitingSessionID})
	return sampleSession{tidesDir + waitingSessionID + ".jsonl", f.fileBytes()}
}

// addTideEdit appends an edit of tide.py. lines are those of the patch.
func (f *claudeSession) addTideEdit(tokens, from int, lines []string, before, after string) {
	f.addToolCall(tokens, "Edit", object{"file_path", tidesCwd + "/tide.py", "old_string", before, "new_string", after}, "The file has been updated.",
		object{"filePath", tidesCwd + "/tide.py", "structuredPatch", []object{{"oldStart", from, "oldLines", countSigned(lines, "+"), "newStart", from, "newLines", countSigned(lines, "-"), "lines", lines}}})
}

// countSigned counts the lines that do not begin with a sign.
func countSigned(lines []string, other string) (n int) {
	for _, l := range lines {
		if !strings.HasPrefix(l, other) {
			n++
		}
	}
	return n
}

// notebook returns a notebook with one cell.
func notebook(source string) string {
	lines := strings.SplitAfter(strings.TrimSuffix(source, "\n"), "\n")
	text, err := object{"cells", []object{{"id", "load", "cell_type", "code", "source", lines}}, "nbformat", 4, "nbformat_minor", 5}.MarshalJSON()
	if err != nil { // all values are defined in this package
		panic(err)
	}
	return string(text)
}
