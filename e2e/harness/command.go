package harness

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// newEnv returns the environment of an explorer with a home of its own.
func newEnv(home string) []string {
	return append(os.Environ(), "HOME="+home, "XDG_STATE_HOME="+filepath.Join(home, "state"), "XDG_CACHE_HOME="+filepath.Join(home, "cache"),
		"PI_CODING_AGENT_DIR=", "OMP_CODING_AGENT_DIR=")
}

// RunCommand runs an explorer with a home and returns what it printed.
func RunCommand(t T, home string, args ...string) string {
	t.Helper()
	cmd := exec.Command(ExplorerPath(t), args...)
	cmd.Env = newEnv(home)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("explorer %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// StartCommand runs an explorer with a home until kill is called, at the end of the test at
// the latest. kill ends it at once. If the test fails while it runs, what it printed is logged.
func StartCommand(t T, home string, args ...string) (kill func()) {
	t.Helper()
	cmd := exec.Command(ExplorerPath(t), args...)
	cmd.Env = newEnv(home)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatalf("start explorer: %v", err)
	}
	end := sync.OnceFunc(func() {
		_ = cmd.Process.Kill() // it may have ended by itself
		_ = cmd.Wait()
	})
	running := true
	t.Cleanup(func() {
		if end(); running && t.Failed() {
			t.Logf("explorer %s printed:\n%s", strings.Join(args, " "), out.String())
		}
	})
	return func() {
		running = false
		end()
	}
}
