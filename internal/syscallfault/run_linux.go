package syscallfault

import (
	"os"
	"os/exec"
	"testing"
)

// childEnv is set in the process that Run starts.
const childEnv = "SYSCALLFAULT_CHILD"

// Run runs a top-level test in a process of its own, whose system calls can fail. It
// returns nil in the parent, when that process has ended and its result is known:
//
//	calls := syscallfault.Run(t)
//	if calls == nil {
//		return
//	}
//
// Where the kernel has no seccomp notifications the test is skipped, unless CI is set.
func Run(t *testing.T) *Calls {
	t.Helper()
	if os.Getenv(childEnv) == "" {
		runChild(t)
		return nil
	}
	calls, err := install()
	if err != nil && os.Getenv("CI") == "" {
		t.Skip("system calls cannot be intercepted here: ", err)
	}
	if err != nil {
		t.Fatal("system calls cannot be intercepted: ", err)
	}
	return calls
}

// runChild runs the test again in another process.
func runChild(t *testing.T) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", "-test.timeout=5m")
	// A thread that is interrupted while it waits would make its call twice.
	cmd.Env = append(os.Environ(), childEnv+"=1", "GODEBUG=asyncpreemptoff=1")
	const memory = "/dev/shm" // where waiting for the disk takes no time
	if _, err := os.Stat(memory); err == nil {
		cmd.Env = append(cmd.Env, "TMPDIR="+memory)
	}
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Fatal(err)
	}
}
