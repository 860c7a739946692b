package store_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sessiontree/internal/sampletest"
	"sessiontree/internal/session"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
	"sessiontree/internal/slowtest"
)

// child turns the test program into a writer if it was started as one.
func child() {
	switch job := os.Getenv("STORE_CHILD"); job {
	case "":
	case "label":
		os.Exit(labelling(os.Args[1], os.Args[2], 1<<30, job))
	case "crowd":
		os.Exit(labelling(os.Args[1], os.Args[2], 25, job))
	case "full":
		os.Exit(labelling(os.Args[1], os.Args[2], 1<<30, job))
	}
}

// neutrally returns a change that leaves the leaf where it is: a label or a name of one
// line or many pages.
func neutrally(text string) session.Change {
	text += strings.Repeat(" long", rand.IntN(2)*rand.IntN(4000))
	if rand.IntN(2) == 0 {
		return session.Change{Op: session.OpName, Text: text}
	}
	return setLabel("a0", text)
}

// labelling sets labels in a row and prints each. For "label" they are any neutral
// changes; for "full" files are limited to 4 KiB, and the error about that is expected.
func labelling(path, name string, n int, job string) int {
	full := job == "full"
	if full {
		limit := unix.Rlimit{Cur: 4096, Max: 4096}
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	lib, err := store.New(store.Config{Roots: []string{filepath.Dir(path)}, Formats: format.All})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	s, err := lib.Open(ctx, path)
	for i := range n {
		var text string
		if err == nil {
			text = fmt.Sprintf("%s-%d", name, i)
			c := setLabel("a0", text)
			if job == "label" {
				c = neutrally(text)
			}
			_, err = s.ApplyChange(ctx, c, store.Precondition{})
		}
		if err != nil {
			if full && (errors.Is(err, unix.EFBIG) || errors.Is(err, io.ErrShortWrite)) {
				return 0
			}
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		fmt.Println(text)
	}
	return 0
}

func startChild(t testing.TB, job, path, name string) (*exec.Cmd, io.Reader) {
	t.Helper()
	cmd := exec.Command(os.Args[0], path, name)
	cmd.Env = append(os.Environ(), "STORE_CHILD="+job)
	out, err := cmd.StdoutPipe()
	if err == nil {
		cmd.Stderr = os.Stderr
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return cmd, out
}

// A writer killed at any moment leaves earlier bytes unchanged and at most one
// unfinished line, which can be ended.
func TestFault_Kill(t *testing.T) {
	t.Parallel()
	slowtest.SkipIfShort(t)
	rounds := sampletest.Rounds(200)
	path := filepath.Join(t.TempDir(), "a.jsonl")
	write(t, path, talk()...)
	var told []string
	for round := range rounds {
		before := content(t, path)
		cmd, out := startChild(t, "label", path, fmt.Sprint("round", round))
		lines := bufio.NewScanner(out)
		lines.Scan() // it has started to write
		at := time.Duration(rand.IntN(3000)) * time.Microsecond
		time.Sleep(at) // the test needs random moments
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		told = append(told, lines.Text())
		for lines.Scan() {
			told = append(told, lines.Text())
		}
		_ = cmd.Wait()
		now := content(t, path)
		if !strings.HasPrefix(now, before) {
			t.Fatal("earlier bytes changed")
		}
		if last := told[len(told)-1]; !containsChange(now[len(before):], last) {
			t.Fatalf("%q was reported and is not in the file", last)
		}
		endTorn(t, path, now)
	}
	wantChain(t, path)
	now := content(t, path)
	for _, text := range told {
		if !containsChange(now, text) {
			t.Errorf("%q was reported and is not in the file", text)
		}
	}
	t.Logf("%d changes were reported by %d writers that were killed", len(told), rounds)
}

// containsChange reports whether text has a label or a name of a writer.
func containsChange(text, name string) bool {
	return strings.Contains(text, `"`+name+`"`) || strings.Contains(text, `"`+name+` long`)
}

// endTorn ends a line that the killed writer left, as a viewer may.
func endTorn(t testing.TB, path, now string) {
	t.Helper()
	if strings.HasSuffix(now, "\n") {
		return
	}
	old := time.Now().Add(-time.Minute)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	s := open(t, path)
	if len(s.Notes()) == 0 {
		t.Error("an unfinished line is not told")
	}
	if err := s.EndTornLine(ctx); err != nil {
		t.Fatal(err)
	}
}

// wantChain fails unless every line after the talk has the one before as its parent.
func wantChain(t testing.TB, path string) {
	t.Helper()
	last := "a3"
	for i, line := range strings.Split(strings.TrimSuffix(content(t, path), "\n"), "\n") {
		if i < len(talk()) {
			continue
		}
		var e struct{ ID, ParentID string }
		if json.Unmarshal([]byte(line), &e) != nil {
			continue // cut off by a kill
		}
		if e.ParentID != last {
			t.Fatalf("line %d hangs on %s, not on %s", i+1, e.ParentID, last)
		}
		last = e.ID
	}
}

// A change that does not fit on the disk leaves nothing.
func TestFault_FileTooLarge(t *testing.T) {
	for name, room := range map[string]int{"in the middle of a line": 1000, "between lines": 0} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.jsonl")
			size := len(strings.Join(talk(), ""))
			long := user("long", "a3", strings.Repeat("x", 4096-room-size-len(user("long", "a3", ""))))
			write(t, path, append(talk(), long)...)
			cmd, out := startChild(t, "full", path, "label")
			done, err := io.ReadAll(out)
			if werr := cmd.Wait(); err != nil || werr != nil {
				t.Fatal(err, werr)
			}
			if n := bytes.Count(done, []byte("\n")); (n > 0) != (room > 0) {
				t.Errorf("%d labels were set", n)
			} else {
				wantWhole(t, path, n+1)
			}
		})
	}
}

// wantWhole fails unless the file ends with a complete line and has as many labels as
// were reported.
func wantWhole(t testing.TB, path string, labels int) {
	t.Helper()
	now := content(t, path)
	rest, ok := strings.CutPrefix(now, strings.Join(talk(), ""))
	if !ok || !strings.HasSuffix(now, "\n") {
		t.Fatalf("the file ends in %q", now[max(len(now)-80, 0):])
	}
	if got := strings.Count(rest, "\n"); got != labels || labels == 0 {
		t.Fatalf("%d labels in the file, %d reported", got, labels)
	}
}

func TestFault_DiskFull(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=16k"); err != nil {
		t.Skip("a small file system cannot be mounted here: ", err)
	}
	defer func() {
		if err := unix.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	}()
	path := filepath.Join(dir, "a.jsonl")
	write(t, path, talk()...)
	s := open(t, path)
	n := 0
	for ; ; n++ {
		before := content(t, path)
		_, err := s.ApplyChange(ctx, setLabel("a0", fmt.Sprint("label ", n, strings.Repeat(".", n))), store.Precondition{})
		if err == nil {
			continue
		}
		if !errors.Is(err, unix.ENOSPC) || content(t, path) != before {
			t.Fatalf("%v; the file changed: %t", err, content(t, path) != before)
		}
		break
	}
	wantWhole(t, path, n)
	if got := labelOf(s, "a0"); !strings.HasPrefix(got, fmt.Sprint("label ", n-1)) {
		t.Errorf("the session shows %q", got)
	}
	if _, err := s.Fork(ctx, "a3", ""); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("Fork: %v", err)
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("left behind: %v", files)
	}
}

// Four explorers label one session while its agent continues.
func TestFault_Crowd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	write(t, path, talk()...)
	var writers sync.WaitGroup
	for w := range 4 {
		cmd, out := startChild(t, "crowd", path, fmt.Sprint("writer", w))
		writers.Go(func() {
			if text, err := io.ReadAll(out); err != nil || cmd.Wait() != nil || strings.Count(string(text), "\n") != 25 {
				t.Errorf("writer %d: %v, %s", w, err, text)
			}
		})
	}
	done := make(chan struct{})
	go func() { writers.Wait(); close(done) }()
	last, n := "a3", 0
	for running := true; running; n++ {
		select {
		case <-done:
			running = false
		case <-time.After(2 * time.Millisecond):
		}
		id := fmt.Sprint("agent", n)
		add(t, path, user(id, last, "on"))
		last = id
	}
	s := open(t, path)
	labels, agents := map[string]int{}, 0
	s.ReadTree(func(tree *session.Tree, _ store.Revision) {
		for p := range session.Pos(tree.Len()) {
			switch e := tree.At(p); {
			case e.Kind == session.KindLabel:
				labels[e.Preview]++
			case strings.HasPrefix(e.ID, "agent"):
				agents++
			}
		}
	})
	if len(labels) != 100 || agents != n || len(s.Notes()) > 0 || leafOf(s) != last {
		t.Errorf("%d labels, %d of %d entries of the agent, leaf %s, notes %+v", len(labels), agents, n, leafOf(s), s.Notes())
	}
}

// In a read-only directory new files are refused, appended lines are not.
func TestFault_ReadOnlyDir(t *testing.T) {
	if os.Getuid() == 0 {
		dir := t.TempDir()
		if err := unix.Mount(dir, dir, "", unix.MS_BIND, ""); err != nil {
			t.Skip("a mount is refused here: ", err)
		}
		defer func() { _ = unix.Unmount(dir, 0) }()
		path := filepath.Join(dir, "a.jsonl")
		write(t, path, talk()...)
		if err := unix.Mount("", dir, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
			t.Skip("a mount is refused here: ", err)
		}
		s := open(t, path)
		refused(t, s, setLabel("a0", "x"), store.Precondition{}, session.ErrReadOnly)
		if _, err := s.Fork(ctx, "a3", ""); !errors.Is(err, session.ErrReadOnly) {
			t.Errorf("Fork: %v", err)
		}
		return
	}
	_, s, path := changed(t, talk()...)
	if err := os.Chmod(filepath.Dir(path), 0o555); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Chmod(filepath.Dir(path), 0o755) }()
	if _, err := s.Fork(ctx, "a3", ""); !errors.Is(err, session.ErrReadOnly) {
		t.Errorf("Fork: %v", err)
	}
	apply(t, s, setLabel("a0", "x"))
}
