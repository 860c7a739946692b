package keep_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"sessiontree/internal/session/format"
	"sessiontree/internal/session/keep"
	"sessiontree/internal/session/roots"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// waitUntil fails unless a condition becomes true soon.
func waitUntil(t testing.TB, what string, is func() bool) {
	t.Helper()
	for until := time.Now().Add(20 * time.Second); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("timeout: %s", what)
		}
	}
}

// start runs a keeper with the system's clock until the test ends.
func (f *fixture) start() {
	set, err := roots.New([]string{f.root}, false, nil)
	if err != nil {
		f.t.Fatal(err)
	}
	f.Keeper = keep.New(keep.Config{StateDir: f.state, Roots: set, Formats: format.All})
	f.run()
}

// run runs the keeper until the test ends.
func (f *fixture) run() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		f.Run(ctx)
	}()
	f.t.Cleanup(func() {
		cancel()
		<-done
	})
}

// While the keeper runs, it follows the settings, which another process may change, and
// copies an appended line within two seconds.
func TestKeeper_Run(t *testing.T) {
	f := newFixture(t)
	f.write("p/a.jsonl", claudeLines(0, 3))
	other := f.Keeper // as another process
	f.start()
	if err := other.SetOn(true); err != nil {
		t.Fatal(err)
	}
	waitUntil(t, "the first pass copies all files", func() bool { return f.copyOf("p/a.jsonl") == claudeLines(0, 3) })
	f.add("p/a.jsonl", claudeLine(3))
	begin := time.Now()
	f.PathChanged(f.path("p/a.jsonl"))
	waitUntil(t, "the appended line is copied", func() bool { return f.copyOf("p/a.jsonl") == claudeLines(0, 4) })
	took := time.Since(begin)
	t.Logf("an appended line was stored after %v", took)
	if took > 2*time.Second {
		t.Errorf("an appended line was stored after %v, want less than 2 s", took)
	}
	f.write("new/b.jsonl", claudeLine(7))
	f.write("new/b/tool-results/1.txt", "output")
	f.PathChanged(f.path("new"))
	waitUntil(t, "a new directory is copied", func() bool {
		return f.copyOf("new/b.jsonl") == claudeLine(7) && f.copyOf("new/b/tool-results/1.txt") == "output"
	})
	if err := other.SetPaused(true); err != nil {
		t.Fatal(err)
	}
	f.add("p/a.jsonl", claudeLine(4))
	f.PathChanged(f.path("p/a.jsonl"))
	time.Sleep(1200 * time.Millisecond) // nothing must happen
	f.want("p/a.jsonl", claudeLines(0, 4))
	if err := other.SetPaused(false); err != nil {
		t.Fatal(err)
	}
	waitUntil(t, "what changed during the pause is copied", func() bool { return f.copyOf("p/a.jsonl") == claudeLines(0, 5) })
}

// An error is reported, and the file is copied when the reason is gone.
func TestKeeper_Run_error(t *testing.T) {
	f := newFixture(t)
	f.write("p/a.jsonl", claudeLines(0, 3))
	blocked := keep.ArchiveDir(f.state)
	if err := errors.Join(f.SetOn(true), os.WriteFile(blocked, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	f.start()
	waitUntil(t, "the error is reported", func() bool {
		s, err := f.State(ctx)
		return err == nil && s.Error != "" && !s.LastPass.IsZero()
	})
	if err := os.Remove(blocked); err != nil {
		t.Fatal(err)
	}
	f.add("p/a.jsonl", claudeLine(3))
	f.PathChanged(f.path("p/a.jsonl"))
	waitUntil(t, "the file is copied", func() bool { return f.copyOf("p/a.jsonl") == claudeLines(0, 4) })
	waitUntil(t, "the error is gone", func() bool {
		s, err := f.State(ctx)
		return err == nil && s.Error == ""
	})
}

// Damaged settings are an error and copy nothing.
func TestKeeper_Settings_damaged(t *testing.T) {
	f := newFixture(t)
	if err := os.WriteFile(filepath.Join(f.state, "keep.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := f.Settings(); err == nil || s.On {
		t.Errorf("%+v, %v", s, err)
	}
	if err := f.SetOn(true); err == nil {
		t.Error("they are replaced")
	}
}

// Copies that grew in small steps need less space after a while.
func TestKeeper_Run_compacts(t *testing.T) {
	f := newFixture(t)
	f.write("p/a.jsonl", claudeLine(0))
	for n := range 20 {
		f.keepFile("p/a.jsonl")
		f.add("p/a.jsonl", claudeLine(n+1))
	}
	f.keepFile("p/a.jsonl")
	before := f.Archive().StoredBytes()
	f.now = f.now.Add(10 * time.Minute)
	if err := f.SetOn(true); err != nil {
		t.Fatal(err)
	}
	f.run()
	waitUntil(t, "the copy is compacted", func() bool { return f.Archive().StoredBytes() < before/2 })
	f.want("p/a.jsonl", claudeLines(0, 21))
}
