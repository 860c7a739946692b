package harness

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
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

// StartCommand runs an explorer with a home until the end of the test.
func StartCommand(t T, home string, args ...string) {
	t.Helper()
	cmd := exec.Command(ExplorerPath(t), args...)
	cmd.Env = newEnv(home)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatalf("start explorer: %v", err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGINT)
		_ = cmd.Wait()
	})
}
