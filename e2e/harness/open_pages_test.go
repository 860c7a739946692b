//go:build e2e

package harness

import "testing"

// A page that loses its server at the end of a test logs failed connections, which do not fail
// the test. What it logged before does.
func TestServer_StoppedAtEnd(t *testing.T) {
	browser := NewBrowser(t)
	defer browser.Close()
	for name, script := range map[string]string{"silent": ``, "error": `console.error("loud")`} {
		t.Run(name, func(t *testing.T) {
			s := &fakeTest{T: t}
			p := browser.NewPage(s)
			pageCleanups := s.cleanups
			server := StartServer(s, "--demo")
			p.Open(server.URL)
			p.RunScript(script)

			s.cleanups = s.cleanups[len(pageCleanups):]
			s.finish()
			p.RunScript(`new WebSocket("` + server.URL + `").onerror = () => { document.title = "failed" }`)
			p.WaitUntil(`document.title === "failed"`)
			s.cleanups = pageCleanups
			s.finish()
			if want := name == "error"; s.Failed() != want {
				t.Errorf("reported %q, want a failure: %t", s.failures, want)
			}
		})
	}
}
