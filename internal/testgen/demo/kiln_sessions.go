package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

const (
	kilnDir         = "wave/home-dev-kiln/"
	kilnCwd         = "/home/dev/kiln"
	firingSessionID = "7c1e52d0-6a0b-4c3e-9f10-2d4b00000001"
	surveyorFile    = "subagent-7c1e52d0-6a0b-4c3e-9f10-2d4b00000002"
	waveModel       = "glm-5"
)

// waveSession is a session file of Wave.
type waveSession struct {
	name  string
	lines []string
	n     int
	now   time.Time
}

func newWaveSession(name string, start time.Time) *waveSession {
	f := &waveSession{name: name, now: start}
	f.appendLine(object{"type", "metadata", "workdir", kilnCwd, "createdAt", f.timestamp(), "gitBranch", "main"})
	return f
}

func (f *waveSession) timestamp() string { return f.now.UTC().Format("2006-01-02T15:04:05.000Z") }

func (f *waveSession) appendLine(l object) {
	text, err := json.Marshal(l)
	if err != nil { // all values are defined in this package
		panic(err)
	}
	f.lines = append(f.lines, string(text))
}

// addMessage appends a message of blocks.
func (f *waveSession) addMessage(role string, blocks []object, more ...any) {
	f.n++
	f.now = f.now.Add(9 * time.Second)
	id := fmt.Sprintf("msg-7c1e52d0-%04d-4000-8000-%s", f.n, f.name[len(f.name)-12:])
	f.appendLine(append(object{"timestamp", f.timestamp(), "id", id, "role", role, "blocks", blocks}, more...))
}

func (f *waveSession) addPrompt(text string) {
	f.addMessage("user", []object{{"type", "text", "content", text}})
}

func (f *waveSession) addAnswer(tokens int, blocks ...object) {
	usage := object{"prompt_tokens", tokens, "completion_tokens", 160, "total_tokens", tokens + 160, "model", waveModel}
	f.addMessage("assistant", blocks, "usage", usage)
}

// addCompaction appends a summary, and the last n messages again as Wave does.
func (f *waveSession) addCompaction(tokens int, summary string, n int) {
	last := append([]string(nil), f.lines[len(f.lines)-n:]...)
	usage := object{"prompt_tokens", tokens, "completion_tokens", 420, "total_tokens", tokens + 420, "model", waveModel, "operation_type", "compact"}
	f.addMessage("assistant", []object{{"type", "compact", "content", summary}}, "usage", usage)
	f.lines = append(f.lines, last...)
}

func (f *waveSession) toSample() sampleSession {
	return sampleSession{path: kilnDir + f.name + ".jsonl", data: []byte(strings.Join(f.lines, "\n") + "\n")}
}

func textBlock(text string) object { return object{"type", "text", "content", text, "stage", "end"} }

// toolBlock returns a tool block with its result.
func toolBlock(id, name string, params object, result string, more ...any) object {
	text, err := json.Marshal(params)
	if err != nil {
		panic(err)
	}
	return append(object{"type", "tool", "id", id, "name", name, "parameters", string(text), "result", result, "stage", "end", "success", true}, more...)
}

// kilnSessions returns a session of Wave: a sub-agent, a failed command, a compaction.
func kilnSessions() []sampleSession {
	start := newestDay.Add(-26 * time.Hour)
	f := newWaveSession(firingSessionID, start)
	f.addPrompt("The kiln log jumps by 200 degrees around midnight. Find out why.")
	f.addAnswer(4100, object{"type", "reasoning", "content", "Midnight smells of time zones or of a file that is rotated.", "stage", "end"},
		textBlock("I look at how the log is written, and have the recorded firings read meanwhile."),
		toolBlock("call_k1", "Read", object{"file_path", kilnCwd + "/log.go"}, "1\tfunc append(t float64) {\n2\t\tname := time.Now().Format(\"2006-01-02\") + \".csv\"\n3\t\tf, _ := os.Create(name)\n"),
		toolBlock("call_k2", "Agent", object{"description", "Read the firings", "prompt", "Read the recorded firings and list where the temperature jumps.", "subagent_type", "explore"},
			"Three firings jump, each at the first line of a new day."))
	survey := newWaveSession(surveyorFile, f.now.Add(time.Second))
	survey.addPrompt("Read the recorded firings and list where the temperature jumps.")
	survey.addAnswer(1800, toolBlock("call_s1", "Glob", object{"pattern", "firings/*.csv"}, "firings/2026-11-01.csv\nfirings/2026-11-02.csv\nfirings/2026-11-09.csv\nfirings/2026-11-10.csv"))
	survey.addAnswer(2600, toolBlock("call_s2", "Bash", object{"command", "head -2 firings/*.csv", "description", "First lines of each firing"}, "==> firings/2026-11-02.csv <==\n00:00:04,1043\n00:00:09,1044\n"))
	survey.addAnswer(2900, textBlock("Three firings jump, each at the first line of a new day. The lines before midnight are missing: the file of the day before ends at 23:59:30."))
	f.now = survey.now
	f.addAnswer(5200, textBlock("The log is opened with `os.Create` at each line, so a line overwrites the ones of the same day until the day ends. What is left of a day is its last line. I open it for appending."),
		toolBlock("call_k3", "Edit", object{"file_path", kilnCwd + "/log.go", "old_string", "f, _ := os.Create(name)", "new_string", "f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)"}, "Replaced 1 match"))
	f.addMessage("user", []object{{"type", "bang", "command", "go vet ./...", "output", "./log.go:3:5: declared and not used: err\n", "stage", "end", "exitCode", 1}})
	f.addAnswer(5600, textBlock("Right, the error was dropped before. It is handed on now."),
		toolBlock("call_k4", "Bash", object{"command", "go vet ./... && go test ./...", "description", "Check and test"}, "--- FAIL: TestAppend (0.00s)\n    log_test.go:14: want 2 lines, got 1", "success", false, "error", "exit status 1"))
	f.addAnswer(6100, textBlock("The test closed the file it had never opened. Fixed."),
		toolBlock("call_k5", "Bash", object{"command", "go test ./...", "description", "Test again"}, "ok  \tkiln\t0.004s"))
	f.addCompaction(6300, "## Goal\nThe kiln log lost all lines of a day but the last.\n\n## Done\n`log.go` appends and hands its error on; tests pass.\n\n## Open\nOld firings cannot be mended.", 2)
	f.addPrompt("Can the old firings be mended from the controller's own memory?")
	f.addAnswer(2400, textBlock("Only the last one: the controller keeps 12 hours. I wrote `kiln restore`, which reads them and fills the gap; the two older firings stay as they are, and the chart now says so."))
	return []sampleSession{f.toSample(), survey.toSample()}
}
