package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

const (
	runningSessions = 100
	stateChanges    = 60               // measured one after the other
	growInterval    = 5 * time.Second  // between two lines of a session, as agents write
	growTime        = 20 * time.Second // in which every session grows
)

// measureNow measures the page of running sessions: the time from a line that changes the
// state of a session to the painted row, and the server's CPU time while 100 sessions grow.
func (b *benchmark) measureNow() {
	dir := b.TempDir()
	files := make([]*transcript.File, runningSessions)
	paths := make([]string, runningSessions)
	for i := range files {
		f := transcript.New(transcript.Pi, fmt.Sprintf("bench-now-%03d", i), "/home/dev/project", time.Now().Add(-time.Minute))
		f.AddModelChange("anthropic", "claude-sonnet-4-5")
		f.AddPrompt(fmt.Sprintf("Task %d", i))
		files[i], paths[i] = f, filepath.Join(dir, f.FileName(time.Now()))
		if err := os.WriteFile(paths[i], f.Bytes(), 0o600); err != nil {
			b.Fatalf("%v", err)
		}
	}
	s := harness.StartServer(b, dir)
	defer s.Stop()
	b.waitForCompleteList(s)
	p := b.browser.NewPage(b)
	defer p.Close()
	p.AddInitScript(statePaintScript)
	p.Open(s.URL + "/now")
	p.WaitUntil(fmt.Sprintf(`document.querySelectorAll('.now-row[data-state="working"]').length === %d && document.querySelector('#live-state[data-state="live"]')`, runningSessions))
	b.measureStateChanges(s, p, files, paths)
	b.measureGrowth(s, files, paths)
}

// measureStateChanges ends and starts turns, and measures until the row has the state.
func (b *benchmark) measureStateChanges(s *harness.Server, p *harness.Page, files []*transcript.File, paths []string) {
	skew := b.clockSkew(p)
	var painted durations
	for n := range stateChanges {
		i := n / 2
		f, state := files[i], "finished"
		if f.Now = time.Now(); n%2 == 0 {
			f.AddReply("It is done.")
		} else {
			f.AddPrompt("And now the next task")
			state = "working"
		}
		key := s.SessionKey(paths[i])
		harness.EvalScript[bool](p, fmt.Sprintf(`watchState(%q, %q)`, key, state))
		wrote := time.Now()
		appendLine(b, paths[i], f.LastLines(1))
		at := time.UnixMicro(int64(harness.EvalScript[float64](p, `statePainted().then(ms => ms * 1000)`))).Add(skew)
		painted = append(painted, at.Sub(wrote))
		time.Sleep(300 * time.Millisecond) // the next change is on its own
	}
	b.table.addQuantiles("a changed state to painted, on the page of 100 running sessions", painted, 200*time.Millisecond, time.Second, "", "")
}

// measureGrowth measures the server's CPU time while all sessions grow and the page is open.
func (b *benchmark) measureGrowth(s *harness.Server, files []*transcript.File, paths []string) {
	began, cpu := time.Now(), s.CPU()
	for i := 0; time.Since(began) < growTime; i++ {
		f := files[i%len(files)]
		f.Now = time.Now()
		f.AddToolCall("Next.", "bash", transcript.Object{"command", "go test ./..."})
		appendLine(b, paths[i%len(files)], f.LastLines(1))
		time.Sleep(time.Until(began.Add(time.Duration(i+1) * growInterval / runningSessions)))
	}
	share := float64(s.CPU()-cpu) / float64(time.Since(began))
	b.table.addResult(result{what: "100 running sessions, a line in 5 s each: CPU", cache: "warm", measured: fmt.Sprintf("%.1f %% of a core", 100*share), target: "< 3 %", missed: share >= .03})
}

// appendLine appends a line to a file.
func appendLine(b *benchmark, path string, line []byte) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		b.Fatalf("%v", err)
	}
	if _, err := f.Write(line); err != nil {
		b.Fatalf("%v", err)
	}
	if err := f.Close(); err != nil {
		b.Fatalf("%v", err)
	}
}

// statePaintScript returns when a row was painted with a state: after the frame in which it
// got it.
const statePaintScript = `(() => {
  let wanted = null
  const channel = new MessageChannel()
  const look = () => {
    if (!wanted || !document.querySelector(wanted.selector)) return
    const { resolve } = wanted
    wanted = null
    channel.port1.onmessage = () => resolve(performance.timeOrigin + performance.now())
    requestAnimationFrame(() => channel.port2.postMessage(0))
  }
  window.watchState = (key, state) => {
    const { promise, resolve } = Promise.withResolvers()
    wanted = { selector: '#n-' + key + '[data-state="' + state + '"]', resolve }
    window.statePainted = () => promise
    return true
  }
  new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ["data-state"] })
})()`
