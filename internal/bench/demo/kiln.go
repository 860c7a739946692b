package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

const (
	kilnDir   = "wave/home-dev-kiln/"
	kilnCwd   = "/home/dev/kiln"
	firing    = "7c1e52d0-6a0b-4c3e-9f10-2d4b00000001"
	surveyor  = "subagent-7c1e52d0-6a0b-4c3e-9f10-2d4b00000002"
	waveModel = "glm-5"
)

// waveFile writes lines as Wave does.
type waveFile struct {
	name  string
	lines []string
	n     int
	now   time.Time
}

func waveAt(name string, start time.Time) *waveFile {
	f := &waveFile{name: name, now: start}
	f.put(o{"type", "metadata", "workdir", kilnCwd, "createdAt", f.stamp(), "gitBranch", "main"})
	return f
}

func (f *waveFile) stamp() string { return f.now.UTC().Format("2006-01-02T15:04:05.000Z") }

func (f *waveFile) put(l o) {
	text, err := json.Marshal(l)
	if err != nil { // all of it is written here
		panic(err)
	}
	f.lines = append(f.lines, string(text))
}

// message appends a message of blocks.
func (f *waveFile) message(role string, blocks []o, more ...any) {
	f.n++
	f.now = f.now.Add(9 * time.Second)
	id := fmt.Sprintf("msg-7c1e52d0-%04d-4000-8000-%s", f.n, f.name[len(f.name)-12:])
	f.put(append(o{"timestamp", f.stamp(), "id", id, "role", role, "blocks", blocks}, more...))
}

func (f *waveFile) user(text string) {
	f.message("user", []o{{"type", "text", "content", text}})
}

func (f *waveFile) answer(tokens int, blocks ...o) {
	usage := o{"prompt_tokens", tokens, "completion_tokens", 160, "total_tokens", tokens + 160, "model", waveModel}
	f.message("assistant", blocks, "usage", usage)
}

// compact appends a summary, and the last n messages again as Wave does.
func (f *waveFile) compact(tokens int, summary string, n int) {
	last := append([]string(nil), f.lines[len(f.lines)-n:]...)
	usage := o{"prompt_tokens", tokens, "completion_tokens", 420, "total_tokens", tokens + 420, "model", waveModel, "operation_type", "compact"}
	f.message("assistant", []o{{"type", "compact", "content", summary}}, "usage", usage)
	f.lines = append(f.lines, last...)
}

func (f *waveFile) session() session {
	return session{path: kilnDir + f.name + ".jsonl", data: []byte(strings.Join(f.lines, "\n") + "\n")}
}

func words(text string) o { return o{"type", "text", "content", text, "stage", "end"} }

// used is a tool with what came of it.
func used(id, name string, params o, result string, more ...any) o {
	text, err := json.Marshal(params)
	if err != nil {
		panic(err)
	}
	return append(o{"type", "tool", "id", id, "name", name, "parameters", string(text), "result", result, "stage", "end", "success", true}, more...)
}

// kilnLog makes a session of Wave: a subagent, a failed command, a compaction.
func kilnLog() []session {
	start := day.Add(-26 * time.Hour)
	f := waveAt(firing, start)
	f.user("The kiln log jumps by 200 degrees around midnight. Find out why.")
	f.answer(4100, o{"type", "reasoning", "content", "Midnight smells of time zones or of a file that is rotated.", "stage", "end"},
		words("I look at how the log is written, and have the recorded firings read meanwhile."),
		used("call_k1", "Read", o{"file_path", kilnCwd + "/log.go"}, "1\tfunc append(t float64) {\n2\t\tname := time.Now().Format(\"2006-01-02\") + \".csv\"\n3\t\tf, _ := os.Create(name)\n"),
		used("call_k2", "Agent", o{"description", "Read the firings", "prompt", "Read the recorded firings and list where the temperature jumps.", "subagent_type", "explore"},
			"Three firings jump, each at the first line of a new day."))
	survey := waveAt(surveyor, f.now.Add(time.Second))
	survey.user("Read the recorded firings and list where the temperature jumps.")
	survey.answer(1800, used("call_s1", "Glob", o{"pattern", "firings/*.csv"}, "firings/2026-11-01.csv\nfirings/2026-11-02.csv\nfirings/2026-11-09.csv\nfirings/2026-11-10.csv"))
	survey.answer(2600, used("call_s2", "Bash", o{"command", "head -2 firings/*.csv", "description", "First lines of each firing"}, "==> firings/2026-11-02.csv <==\n00:00:04,1043\n00:00:09,1044\n"))
	survey.answer(2900, words("Three firings jump, each at the first line of a new day. The lines before midnight are missing: the file of the day before ends at 23:59:30."))
	f.now = survey.now
	f.answer(5200, words("The log is opened with `os.Create` at each line, so a line overwrites the ones of the same day until the day ends. What is left of a day is its last line. I open it for appending."),
		used("call_k3", "Edit", o{"file_path", kilnCwd + "/log.go", "old_string", "f, _ := os.Create(name)", "new_string", "f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)"}, "Replaced 1 match"))
	f.message("user", []o{{"type", "bang", "command", "go vet ./...", "output", "./log.go:3:5: declared and not used: err\n", "stage", "end", "exitCode", 1}})
	f.answer(5600, words("Right, the error was dropped before. It is handed on now."),
		used("call_k4", "Bash", o{"command", "go vet ./... && go test ./...", "description", "Check and test"}, "--- FAIL: TestAppend (0.00s)\n    log_test.go:14: want 2 lines, got 1", "success", false, "error", "exit status 1"))
	f.answer(6100, words("The test closed the file it had never opened. Fixed."),
		used("call_k5", "Bash", o{"command", "go test ./...", "description", "Test again"}, "ok  \tkiln\t0.004s"))
	f.compact(6300, "## Goal\nThe kiln log lost all lines of a day but the last.\n\n## Done\n`log.go` appends and hands its error on; tests pass.\n\n## Open\nOld firings cannot be mended.", 2)
	f.user("Can the old firings be mended from the controller's own memory?")
	f.answer(2400, words("Only the last one: the controller keeps 12 hours. I wrote `kiln restore`, which reads them and fills the gap; the two older firings stay as they are, and the chart now says so."))
	return []session{f.session(), survey.session()}
}
