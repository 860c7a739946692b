package archive_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sessiontree/internal/sampletest"
	"sessiontree/internal/session/archive"
	"sessiontree/internal/slowtest"
	"sessiontree/internal/syscallfault"
)

const writerEnv = "ARCHIVE_WRITER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(writerEnv); dir != "" {
		fmt.Fprintln(os.Stderr, storeForever(dir))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// The writer stores files like this one, and each of them begins again at maxWritten.
const (
	writtenFiles = 3
	maxWritten   = 5 << 20
)

func writtenPath(n int) string { return fmt.Sprintf("/sessions/%d.jsonl", n) }

// storeForever stores segments of random sizes and prints what was acknowledged.
func storeForever(dir string) error {
	d := archive.NewDir(dir)
	for {
		path := writtenPath(rand.IntN(writtenFiles))
		heads, err := d.Heads(ctx, path)
		if err != nil {
			return err
		}
		h := archive.Head{Generation: 1, Chain: archive.EmptyChain}
		if len(heads) > 0 {
			h = heads[len(heads)-1]
		}
		if h.End > maxWritten {
			h = archive.Head{Generation: h.Generation + 1, Chain: archive.EmptyChain}
			err = d.DeleteGeneration(ctx, path, h.Generation-2)
		}
		size := []int64{200, 5000, 300_000, archive.MaxSegment}[rand.IntN(4)]
		if err == nil {
			h, err = d.Append(ctx, archive.Segment{Path: path, Generation: h.Generation, Off: h.End, Before: h.Chain, Data: patternAt(h.End, size), ModTime: time.Unix(1, 0)})
		}
		if err == nil && rand.IntN(8) == 0 {
			err = d.Compact(ctx, path)
		}
		if err != nil {
			return err
		}
		fmt.Println(path, h.Generation, h.End)
	}
}

// A writer that is killed at any moment loses no acknowledged segment and leaves no torn one.
// KILLS is the number of writers.
func TestDir_kill(t *testing.T) {
	t.Parallel()
	slowtest.SkipIfShort(t)
	rounds := sampletest.Rounds(30)
	if n, err := strconv.Atoi(os.Getenv("KILLS")); err == nil {
		rounds = n
	}
	dir := t.TempDir()
	acknowledged, segments := map[string]archive.Head{}, 0
	for range rounds {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), writerEnv+"="+dir)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		lines.Scan() // it has started to write
		n := noteAcknowledged(t, acknowledged, lines.Text())
		time.Sleep(time.Duration(rand.IntN(80_000)) * time.Microsecond) // the test needs random moments
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() {
			n += noteAcknowledged(t, acknowledged, lines.Text())
		}
		_ = cmd.Wait()
		wantAcknowledged(t, dir, acknowledged)
		segments += n
	}
	t.Logf("%d segments were acknowledged by %d writers that were killed; none is lost", segments, rounds)
}

func noteAcknowledged(t *testing.T, all map[string]archive.Head, line string) int {
	var path string
	var h archive.Head
	if _, err := fmt.Sscan(line, &path, &h.Generation, &h.End); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	all[path] = h
	return 1
}

// wantAcknowledged fails unless the archive has everything that was acknowledged, in a fresh
// process and after the list was verified.
func wantAcknowledged(t *testing.T, dir string, all map[string]archive.Head) {
	t.Helper()
	for _, verify := range []bool{false, true} {
		d := archive.NewDir(dir)
		if verify {
			if err := d.Verify(ctx); err != nil {
				t.Fatal(err)
			}
		}
		for path, want := range all {
			f, err := d.OpenFile(path)
			if err != nil {
				t.Fatal(err)
			}
			info, _ := f.Stat()
			if g := info.Sys().(archive.Identity).Generation; g < want.Generation || g == want.Generation && info.Size() < want.End {
				t.Fatalf("%s: generation %d has %d bytes, %+v was acknowledged", path, g, info.Size(), want)
			}
			got, err := io.ReadAll(f)
			if err != nil || !bytes.Equal(got, patternAt(0, info.Size())) {
				t.Fatalf("%s: %d bytes, %v", path, len(got), err)
			}
			f.Close()
		}
	}
}

// faultyStep is an operation of which each system call fails.
type faultyStep struct {
	before int64 // how much of the file is stored before
	size   int64 // of each segment before
	do     func(d *archive.Dir, h archive.Head) error
	after  int64 // how much is stored afterwards
}

func appendPattern(n int64) func(*archive.Dir, archive.Head) error {
	return func(d *archive.Dir, h archive.Head) error {
		_, err := d.Append(ctx, archive.Segment{Path: "/a", Generation: 1, Off: h.End, Before: h.Chain, Data: patternAt(h.End, n), ModTime: time.Unix(1, 0)})
		return err
	}
}

// Whichever system call fails: what was acknowledged is there, an error is reported unless
// the operation is done, and it can be done again.
func TestDir_everyCall(t *testing.T) {
	t.Parallel()
	slowtest.SkipIfShort(t)
	calls := syscallfault.Run(t)
	if calls == nil {
		return
	}
	steps := map[string]faultyStep{
		"first segment":     {0, 1, appendPattern(5000), 5000},
		"next segment":      {3000, 1000, appendPattern(5000), 8000},
		"to the pack":       {900_000, 300_000, appendPattern(400_000), 1_300_000},
		"to the pack again": {1_900_000, 400_000, appendPattern(400_000), 2_300_000},
		"merge":             {12_800, 100, appendPattern(100), 12_900},
		"compact":           {3000, 100, func(d *archive.Dir, _ archive.Head) error { return d.Compact(ctx, "/a") }, 3000},
		"verify":            {3000, 1000, func(d *archive.Dir, _ archive.Head) error { return d.Verify(ctx) }, 3000},
	}
	attempts := 0
	for name, step := range steps {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			h := step.prepare(t, dir)
			for _, fault := range syscallfault.Faults {
				n := 0
				for step.failsAt(t, calls, dir, h, n, fault) {
					n += sampletest.Step()
					attempts++
				}
			}
		})
	}
	t.Logf("%d attempts, in each of which one system call failed", attempts)
}

// prepare stores what there is before the step.
func (s faultyStep) prepare(t *testing.T, dir string) archive.Head {
	d, h := archive.NewDir(dir), archive.Head{Chain: archive.EmptyChain}
	for h.End < s.before {
		if err := appendPattern(min(s.size, s.before-h.End))(d, h); err != nil {
			t.Fatal(err)
		}
		heads, _ := d.Heads(ctx, "/a")
		h = heads[0]
	}
	return h
}

// failsAt does the step in a copy of a prepared directory, with its n-th call failing. It
// reports whether there are so many.
func (s faultyStep) failsAt(t *testing.T, calls *syscallfault.Calls, prepared string, h archive.Head, n int, fault syscallfault.Fault) bool {
	dir, err := os.MkdirTemp(t.TempDir(), "")
	if err == nil {
		err = os.CopyFS(dir, os.DirFS(prepared))
	}
	if err != nil {
		t.Fatal(err)
	}
	hit := calls.Fail(n, fault, func() { err = s.do(archive.NewDir(dir), h) })
	switch {
	case hit == "" && err != nil:
		t.Fatalf("without a fault: %v", err)
	case err != nil && !fault.Short && !errors.Is(err, fault.Err):
		t.Errorf("%s: %s: the error is %v", hit, fault, err)
	case err == nil:
		s.want(t, dir, s.after, s.after, hit)
	default:
		s.want(t, dir, s.before, s.after, hit)
	}
	if err := s.do(archive.NewDir(dir), h); err != nil {
		t.Fatalf("%s: %s: again: %v", hit, fault, err)
	}
	s.want(t, dir, s.after, s.after, hit)
	return hit != ""
}

// want fails unless at least so many bytes are stored, and at most so many.
func (s faultyStep) want(t *testing.T, dir string, least, most int64, hit string) {
	t.Helper()
	if least == 0 && most > 0 {
		return // the file may not be there
	}
	f, err := archive.NewDir(dir).OpenFile("/a")
	if err != nil {
		t.Fatalf("%s: %v", hit, err)
	}
	defer f.Close()
	got, err := io.ReadAll(f)
	if n := int64(len(got)); err != nil || n < least || n > most || !bytes.Equal(got, patternAt(0, n)) {
		t.Fatalf("%s: %d bytes, want %d to %d, %v", hit, n, least, most, err)
	}
}

// When the disk is full, the error says so, what was stored stays, and storing continues when
// there is room again.
func TestDir_diskFull(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=512k"); err != nil {
		t.Skip("a small file system cannot be mounted here: ", err)
	}
	defer func() { _ = unix.Unmount(dir, unix.MNT_DETACH) }()
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 200_000), 0o600); err != nil {
		t.Fatal(err)
	}
	h := archive.Head{Chain: archive.EmptyChain}
	var err error
	for err == nil {
		if err = appendPattern(30_000)(archive.NewDir(dir), h); err == nil {
			heads, _ := archive.NewDir(dir).Heads(ctx, "/a")
			h = heads[0]
		}
	}
	if !errors.Is(err, unix.ENOSPC) || !strings.Contains(err.Error(), "/a") || h.End == 0 {
		t.Fatalf("%v after %d bytes", err, h.End)
	}
	wantBytes := func(n int64) {
		t.Helper()
		faultyStep{}.want(t, dir, n, n, "disk full")
	}
	wantBytes(h.End)
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if err := appendPattern(30_000)(archive.NewDir(dir), h); err != nil {
		t.Fatal(err)
	}
	wantBytes(h.End + 30_000)
}
