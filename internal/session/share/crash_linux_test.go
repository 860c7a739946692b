package share_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// runChild turns the test program into another one if SHARE_CHILD is set. Its arguments
// are a session and the directory of shares. "full" shares the session with a small file
// size limit; "follow" updates the live share for each line of its input.
func runChild() {
	var t panickingTester
	switch os.Getenv("SHARE_CHILD") {
	case "":
		return
	case "full":
		limit := unix.Rlimit{Cur: 16 << 10, Max: 16 << 10}
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
			t.Fatal(err)
		}
		_, _, err := openShares(t, os.Args[2], newClock()).Create(ctx, wholeRequest(openSource(t, os.Args[1])))
		if err == nil {
			t.Fatal("it was shared")
		}
		fmt.Print(err)
	case "follow":
		s, src := openShares(t, os.Args[2], newClock()), openSource(t, os.Args[1])
		for range readLines(os.Stdin) {
			s.UpdateLive(ctx, src)
			fmt.Println()
		}
	}
	os.Exit(0)
}

// readLines yields the lines of r.
func readLines(r io.Reader) iter.Seq[string] {
	return func(yield func(string) bool) {
		for s := bufio.NewScanner(r); s.Scan() && yield(s.Text()); {
		}
	}
}

// startChild starts the test program as a child process.
func startChild(job, path, shareDir string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(self, path, shareDir)
	cmd.Env, cmd.Stderr = append(os.Environ(), "SHARE_CHILD="+job), os.Stderr
	return cmd
}

type panickingTester struct{}

func (panickingTester) Fatal(args ...any) {
	fmt.Fprintln(os.Stderr, args...)
	os.Exit(1)
}

// Without disk space nothing is left behind, and the error has the reason.
func TestCreate_DiskFull(t *testing.T) {
	dir, shareDir := t.TempDir(), t.TempDir()
	a := newAgent(t, dir)
	for range 100 {
		a.say(a.leaf, "user", strings.Repeat("much ", 100))
	}
	message, err := startChild("full", a.path, shareDir).Output()
	if err != nil || !strings.Contains(string(message), "the share cannot be created") || !strings.Contains(string(message), "file too large") {
		t.Errorf("%q, %v", message, err)
	}
	if left := listFiles(t, shareDir); len(left) != 0 {
		t.Error(left)
	}
}

// The error names a directory that cannot be created.
func TestCreate_NoDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "shares")
	s := openShares(t, dir, newClock())
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Create(ctx, wholeRequest(openSource(t, forkedFile))); !errors.Is(err, unix.ENOTDIR) || !strings.Contains(err.Error(), dir) {
		t.Error(err)
	}
}

// Two processes that update the same live share write each line once.
func TestUpdateLive_TwoProcesses(t *testing.T) {
	l := newLiveFixture(t)
	cmd := startChild("follow", l.agent.path, l.dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := bufio.NewReader(out)
	for range 30 {
		l.agent.say(l.agent.leaf, "user", "more")
		if _, err := io.WriteString(in, "\n"); err != nil {
			t.Fatal(err)
		}
		l.UpdateLive(ctx, l.src) // at the same time
		if _, err := done.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(in.Close(), cmd.Wait()); err != nil {
		t.Error(err)
	}
	open, now, err := l.OpenSnapshot(ctx, l.token)
	if err != nil {
		t.Fatal(err, now.RevokeReason)
	}
	if diff := cmp.Diff(entryIDs(l.src), entryIDs(open)); diff != "" {
		t.Error(diff)
	}
}
