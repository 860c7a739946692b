package keep_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"sessiontree/internal/session/format"
	"sessiontree/internal/session/keep"
	"sessiontree/internal/session/roots"
)

var ctx = context.Background()

// fixture is a root with session files, and a keeper of it.
type fixture struct {
	t     testing.TB
	root  string // canonical
	state string
	now   time.Time
	// onClock is called when the keeper looks at its clock: between comparing and copying.
	onClock func()
	*keep.Keeper
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{t: t, root: filepath.Join(root, "projects"), state: t.TempDir(), now: time.Now()}
	if err := os.Mkdir(f.root, 0o700); err != nil {
		t.Fatal(err)
	}
	f.restart()
	return f
}

// restart replaces the keeper by one that knows nothing, as after a restart of the program.
func (f *fixture) restart() {
	set, err := roots.New([]string{f.root}, false, nil)
	if err != nil {
		f.t.Fatal(err)
	}
	f.Keeper = keep.New(keep.Config{StateDir: f.state, Roots: set, Formats: format.All, Clock: f.clock, FlushDelay: time.Millisecond})
}

func (f *fixture) clock() time.Time {
	if f.onClock != nil {
		f.onClock()
	}
	return f.now
}

func (f *fixture) path(name string) string { return filepath.Join(f.root, filepath.FromSlash(name)) }

// write replaces a file.
func (f *fixture) write(name, text string) {
	f.t.Helper()
	path := f.path(name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		f.t.Fatal(err)
	}
}

// add appends to a file.
func (f *fixture) add(name, text string) {
	f.t.Helper()
	file, err := os.OpenFile(f.path(name), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = file.WriteString(text)
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) keepAll() {
	f.t.Helper()
	if err := f.KeepAll(ctx); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) keepFile(name string) {
	f.t.Helper()
	if err := f.KeepFile(ctx, f.path(name)); err != nil {
		f.t.Fatal(err)
	}
}

// copyOf returns the newest copy of a file, "none" if there is none.
func (f *fixture) copyOf(name string) string {
	f.t.Helper()
	path := name
	if !filepath.IsAbs(name) {
		path = f.path(name)
	}
	file, err := f.Archive().OpenFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "none"
	}
	if err != nil {
		f.t.Fatal(err)
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		f.t.Fatal(err)
	}
	return string(text)
}

func (f *fixture) want(name, want string) {
	f.t.Helper()
	if got := f.copyOf(name); got != want {
		f.t.Errorf("the copy of %s is %q, want %q", name, got, want)
	}
}

// generations returns how many generations of a file are stored.
func (f *fixture) generations(name string) int {
	heads, err := f.Archive().Heads(ctx, f.path(name))
	if err != nil {
		f.t.Fatal(err)
	}
	return len(heads)
}

// claudeLine is a line of a session of Claude Code.
func claudeLine(n int) string {
	return fmt.Sprintf(`{"type":"user","uuid":"00000000-0000-4000-8000-%012d","parentUuid":null,"sessionId":"s","cwd":"/p","timestamp":"2026-03-01T10:00:00.000Z","version":"2.1.0","message":{"role":"user","content":"prompt %d"}}`+"\n", n, n)
}

func claudeLines(from, to int) string {
	var b strings.Builder
	for n := from; n < to; n++ {
		b.WriteString(claudeLine(n))
	}
	return b.String()
}

// A copy has the whole lines of the file, and the rest once the file is at rest.
func TestKeeper_KeepFile(t *testing.T) {
	f := newFixture(t)
	f.write("p/a.jsonl", claudeLines(0, 3)+`{"torn":`)
	f.keepFile("p/a.jsonl")
	f.want("p/a.jsonl", claudeLines(0, 3))
	f.add("p/a.jsonl", "1}\n"+claudeLine(4)+`{"torn`)
	f.keepFile("p/a.jsonl")
	f.want("p/a.jsonl", claudeLines(0, 3)+"{\"torn\":1}\n"+claudeLine(4))
	f.now = f.now.Add(time.Hour)
	f.keepFile("p/a.jsonl")
	f.want("p/a.jsonl", claudeLines(0, 3)+"{\"torn\":1}\n"+claudeLine(4)+`{"torn`)
	f.add("p/a.jsonl", "\":2}\n")
	f.keepFile("p/a.jsonl")
	f.want("p/a.jsonl", claudeLines(0, 3)+"{\"torn\":1}\n"+claudeLine(4)+"{\"torn\":2}\n")
	if n := f.generations("p/a.jsonl"); n != 1 {
		t.Errorf("%d generations", n)
	}
	f.write("p/a.jsonl", claudeLines(0, 2)) // as a rewind does
	f.keepFile("p/a.jsonl")
	f.want("p/a.jsonl", claudeLines(0, 2))
	f.write("p/a.jsonl", "")
	f.keepFile("p/a.jsonl")
	f.want("p/a.jsonl", claudeLines(0, 2))
	if n := f.generations("p/a.jsonl"); n != 2 {
		t.Errorf("%d generations", n)
	}
	if err := os.Remove(f.path("p/a.jsonl")); err != nil {
		t.Fatal(err)
	}
	f.keepFile("p/a.jsonl")
	f.want("p/a.jsonl", claudeLines(0, 2))
}

// A file that is rewritten while new lines are copied is compared in full at its next change.
func TestKeeper_KeepFile_rewrittenMeanwhile(t *testing.T) {
	f := newFixture(t)
	f.write("p/a.jsonl", claudeLines(0, 3))
	f.keepFile("p/a.jsonl")
	f.add("p/a.jsonl", claudeLine(4))
	f.onClock = func() { f.write("p/a.jsonl", claudeLines(100, 120)) }
	f.keepFile("p/a.jsonl")
	f.onClock = nil
	f.add("p/a.jsonl", claudeLine(120))
	f.keepFile("p/a.jsonl")
	f.want("p/a.jsonl", claudeLines(100, 121))
}

// Whatever is done to a file, and whenever the program restarts, the newest copy has its
// lines, and each earlier state that was copied is in a generation.
func TestKeeper_anyChanges(t *testing.T) {
	f := newFixture(t)
	runs := 0
	rapid.Check(t, func(r *rapid.T) {
		runs++
		name := fmt.Sprintf("p/run%d.jsonl", runs)
		text := claudeLines(0, 2)
		f.write(name, text)
		f.keepFile(name)
		for step := range rapid.IntRange(1, 12).Draw(r, "steps") {
			switch rapid.IntRange(0, 6).Draw(r, "change") {
			case 0: // rewritten with other lines
				text = claudeLines(100*step+100, 100*step+103)
				f.write(name, text)
			case 1: // shorter
				text = text[:strings.IndexByte(text, '\n')+1]
				f.write(name, text)
			case 2: // replaced by rename, and longer
				text += claudeLine(step + 50)
				f.write("tmp", text)
				if err := os.Rename(f.path("tmp"), f.path(name)); err != nil {
					r.Fatal(err)
				}
			case 3:
				f.restart()
			case 4: // rewritten in place, with other bytes at the start, and longer
				text = strings.Replace(text, "prompt", "PROMPT", 1) + claudeLine(step+60)
				f.write(name, text)
			default:
				more := claudeLines(step+10, step+10+rapid.IntRange(1, 300).Draw(r, "lines"))
				text += more
				f.add(name, more)
			}
			f.keepFile(name)
			if got := f.copyOf(name); got != text {
				r.Fatalf("step %d: the copy has %d bytes, the file %d", step, len(got), len(text))
			}
		}
	})
}

// Bytes that were changed in the middle of a file that grew are found by the next pass.
func TestKeeper_KeepAll_verifies(t *testing.T) {
	f := newFixture(t)
	text := claudeLines(0, 200)
	f.write("p/a.jsonl", text)
	f.keepFile("p/a.jsonl")
	file, err := os.OpenFile(f.path("p/a.jsonl"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(text, "prompt 100")
	if _, err := file.WriteAt([]byte("PROMPT"), int64(at)); err != nil {
		t.Fatal(err)
	}
	file.Close()
	f.add("p/a.jsonl", claudeLine(200))
	f.keepFile("p/a.jsonl")
	f.keepAll()
	f.want("p/a.jsonl", strings.Replace(text, "prompt 100", "PROMPT 100", 1)+claudeLine(200))
	if n := f.generations("p/a.jsonl"); n != 2 {
		t.Errorf("%d generations", n)
	}
}

// All files of sessions are copied, and no others.
func TestKeeper_KeepAll_files(t *testing.T) {
	f := newFixture(t)
	files := map[string]string{
		"p/a.jsonl":                                claudeLines(0, 3),
		"p/a/subagents/agent-1.jsonl":              claudeLines(3, 5),
		"p/a/subagents/agent-1.meta.json":          `{"agentType":"x"}`,
		"p/a/subagents/workflows/wf/journal.jsonl": "{\"type\":\"started\"}\n",
		"p/a/workflows/wf.json":                    `{"runId":"wf"}`,
		"p/a/tool-results/t1.txt":                  "output without newline",
		"p/a/custom-title.json":                    `{"customTitle":"x"}`,
		"p/agent-2.jsonl":                          claudeLines(5, 6),
		"p/lines without a known format.jsonl":     "{\"x\":1}\n",
		"p/notes.txt":                              "not of a session",
		"p/src/main.go":                            "package main",
		"p/a/.hidden":                              "x",
		"p/a/x.lock":                               "x",
	}
	for name, text := range files {
		f.write(name, text)
	}
	unwanted := []string{"p/lines without a known format.jsonl", "p/notes.txt", "p/src/main.go", "p/a/.hidden", "p/a/x.lock"}
	f.keepAll()
	for name, text := range files {
		if strings.Contains(strings.Join(unwanted, " "), name) {
			text = "none"
		}
		f.want(name, text)
	}
	// Changes of single files are found as well.
	f.write("p/a/tool-results/t2.txt", "more")
	f.write("p/b.jsonl", claudeLine(9))
	f.keepFile("p/a/tool-results/t2.txt")
	f.keepFile("p/notes.txt")
	f.keepFile("p/b.jsonl")
	f.want("p/a/tool-results/t2.txt", "more")
	f.want("p/notes.txt", "none")
	f.want("p/b.jsonl", claudeLine(9))
}

// The blobs that a session of oh-my-pi refers to are copied, also from outside the root.
func TestKeeper_blobs(t *testing.T) {
	f := newFixture(t)
	hash := strings.Repeat("0123456789abcdef", 4)
	blob := filepath.Join(filepath.Dir(f.root), "blobs", hash)
	if err := errors.Join(os.Mkdir(filepath.Dir(blob), 0o700), os.WriteFile(blob, []byte("image"), 0o600)); err != nil {
		t.Fatal(err)
	}
	head := `{"type":"title","v":1,"title":"x","source":"auto","updatedAt":"2026-03-01T10:00:00.000Z","pad":"` + strings.Repeat(" ", 100) + "\"}\n" +
		`{"type":"session","version":3,"id":"0195a0c8-0000-7000-8000-000000000000","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/p"}` + "\n"
	f.write("p/2026_x.jsonl", head+`{"type":"message","id":"a","parentId":null,"timestamp":"2026-03-01T10:00:00.000Z","message":{"role":"user","content":[{"type":"image","data":"blob:sha256:`+hash+`","mimeType":"image/png"}]}}`+"\n")
	f.keepAll()
	f.want(blob, "image")
	files, err := f.SessionFiles(ctx, f.path("p/2026_x.jsonl"))
	if err != nil || len(files) != 2 || files[1].Path != blob {
		t.Errorf("files %v, %v", files, err)
	}
}

// The state says what is copied, where, and what is kept only here.
func TestKeeper_State(t *testing.T) {
	f := newFixture(t)
	f.write("p/a.jsonl", claudeLines(0, 50))
	f.write("p/a/tool-results/1.txt", "x")
	f.write("p/b.jsonl", claudeLines(0, 50))
	if err := errors.Join(f.SetOn(true), f.SetQuota(123_456)); err != nil {
		t.Fatal(err)
	}
	f.keepAll()
	if err := os.RemoveAll(f.path("p/a.jsonl")); err != nil {
		t.Fatal(err)
	}
	f.restart()
	s, err := f.State(ctx)
	if err != nil || !s.On || s.Limit != 123_456 || s.Sessions != 2 || s.GoneSessions != 1 || s.GoneBytes <= 0 || s.GoneBytes >= s.Stored ||
		s.OriginalBytes != int64(2*len(claudeLines(0, 50))+1) || s.LastPass.IsZero() || s.Error != "" || len(s.Folders) != 1 || s.Folders[0].Sessions != 2 {
		t.Errorf("%+v, %v", s, err)
	}
	if !f.IsGone(f.path("p/a.jsonl")) || f.IsGone(f.path("p/b.jsonl")) {
		t.Error("which files are gone is wrong")
	}
}

// The rule by which an agent deletes sessions is that of its own settings next to the root.
func TestKeeper_State_cleanUps(t *testing.T) {
	f := newFixture(t)
	rules := func() []keep.CleanUp {
		t.Helper()
		s, err := f.State(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return s.Folders[0].CleanUps
	}
	if got := rules(); len(got) > 0 {
		t.Errorf("without settings in any other directory: %v", got)
	}
	for settings, days := range map[string]time.Duration{`{}`: 30, `{"cleanupPeriodDays":3}`: 3} {
		if err := os.WriteFile(filepath.Join(filepath.Dir(f.root), "settings.json"), []byte(settings), 0o600); err != nil {
			t.Fatal(err)
		}
		f.now = f.now.Add(time.Minute)
		if got := rules(); len(got) != 1 || got[0].Format != "claude" || got[0].After != days*24*time.Hour {
			t.Errorf("%s: %v, want %d days", settings, got, days)
		}
	}
}

// Old sessions whose files are gone are removed first, and it is said.
func TestKeeper_EnforceQuota(t *testing.T) {
	f := newFixture(t)
	names := []string{"p/new.jsonl", "p/old.jsonl", "p/older.jsonl", "p/there.jsonl"}
	for i, name := range names {
		f.write(name, claudeLines(1000*i, 1000*i+100))
		f.write(strings.TrimSuffix(name, ".jsonl")+"/tool-results/1.txt", "output")
		old := f.now.Add(-time.Duration(i+1) * 24 * time.Hour)
		for _, path := range []string{f.path(name), f.path(strings.TrimSuffix(name, ".jsonl") + "/tool-results/1.txt")} {
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	f.keepAll()
	for _, name := range names[:3] {
		if err := errors.Join(os.Remove(f.path(name)), os.RemoveAll(f.path(strings.TrimSuffix(name, ".jsonl")))); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.SetQuota(f.Archive().StoredBytes() - 1); err != nil {
		t.Fatal(err)
	}
	f.keepAll()
	f.want("p/older.jsonl", "none")
	f.want("p/older/tool-results/1.txt", "none")
	f.want("p/old.jsonl", claudeLines(1000, 1100))
	if s, err := f.State(ctx); err != nil || len(s.Removed) != 1 || s.Removed[0].Path != f.path("p/older.jsonl") || s.Removed[0].Bytes == 0 {
		t.Errorf("%+v, %v", s.Removed, err)
	}
	if err := f.SetQuota(1); err != nil {
		t.Fatal(err)
	}
	if err := f.KeepAll(ctx); !errors.Is(err, keep.ErrLimit) {
		t.Errorf("with a limit that is too small: %v", err)
	}
	f.want("p/new.jsonl", "none")
	f.want("p/there.jsonl", claudeLines(3000, 3100))
	if s, err := f.State(ctx); err != nil || !s.LimitFull || s.Error == "" {
		t.Errorf("%+v, %v", s, err)
	}
}

// A restored file is recent if its agent would delete it because of its age.
func TestKeeper_RestoreFile_oldFile(t *testing.T) {
	f := newFixture(t)
	f.write("p/s1.jsonl", claudeLines(0, 40))
	if err := os.WriteFile(filepath.Join(filepath.Dir(f.root), "settings.json"), []byte(`{"cleanupPeriodDays":3}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for age, want := range map[time.Duration]time.Duration{24 * time.Hour: 24 * time.Hour, 70 * time.Hour: time.Hour} {
		path, at := f.path("p/s1.jsonl"), f.now.Add(-age)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		f.keepAll()
		if err := errors.Join(os.Remove(path), f.RestoreFile(ctx, path, path)); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || f.now.Sub(info.ModTime()) != want {
			t.Errorf("a file %v old is %v old when restored, want %v; %v", age, f.now.Sub(info.ModTime()), want, err)
		}
	}
}

// While a root does not exist, such as on a disk that is not mounted, its files are not taken
// for deleted: the limit removes none of their copies.
func TestKeeper_EnforceQuota_MissingRoot(t *testing.T) {
	f := newFixture(t)
	text := claudeLines(0, 100)
	f.write("p/a.jsonl", text)
	f.keepAll()
	if err := errors.Join(os.Rename(f.root, f.root+".away"), f.SetQuota(1)); err != nil {
		t.Fatal(err)
	}
	if err := f.EnforceQuota(ctx); !errors.Is(err, keep.ErrLimit) {
		t.Errorf("while the root is missing: %v", err)
	}
	f.want("p/a.jsonl", text)
}

// A restored file has the same bytes and the same time, and replaces nothing.
func TestKeeper_RestoreFile(t *testing.T) {
	f := newFixture(t)
	text := claudeLines(0, 40)
	f.write("p/s1234567.jsonl", text)
	old := time.Unix(1_700_000_000, 123_000_000)
	if err := os.Chtimes(f.path("p/s1234567.jsonl"), old, old); err != nil {
		t.Fatal(err)
	}
	f.keepAll()
	path, err := f.FindSession(ctx, "s123")
	if err != nil || path != f.path("p/s1234567.jsonl") {
		t.Fatal(path, err)
	}
	if err := f.RestoreFile(ctx, path, path); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over the original: %v", err)
	}
	if err := os.RemoveAll(f.path("p")); err != nil {
		t.Fatal(err)
	}
	if err := f.RestoreFile(ctx, path, path); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	info, statErr := os.Stat(path)
	if err != nil || statErr != nil || !bytes.Equal(got, []byte(text)) || !info.ModTime().Equal(old) {
		t.Errorf("%d bytes, %v, %v %v", len(got), info.ModTime(), err, statErr)
	}
	f.keepAll()
	if n := f.generations("p/s1234567.jsonl"); n != 1 {
		t.Errorf("%d generations", n)
	}
	if freed, err := f.PurgeSession(ctx, path); err != nil || freed <= 0 {
		t.Errorf("purge: %d, %v", freed, err)
	}
	f.want("p/s1234567.jsonl", "none")
	if _, err := f.FindSession(ctx, "s123"); err == nil {
		t.Error("it is still found")
	}
}
