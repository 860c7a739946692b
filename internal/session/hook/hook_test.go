//go:build unix

package hook

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"sessiontree/internal/session"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var testSubject = Subject{File: "/s/a.jsonl", ID: "0b0e", Cwd: "/proj"}

// writeProgram writes a shell script to dir/name.
func writeProgram(t *testing.T, dir, name, script string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// newTestRunner returns a Runner with one hook.
func newTestRunner(t *testing.T, event, script string) *Runner {
	dir := t.TempDir()
	writeProgram(t, dir, event, script)
	return &Runner{Dir: dir}
}

func newPreparation() Preparation {
	target, leaf := "a1", "a9"
	return Preparation{TargetID: &target, OldLeafID: &leaf, CustomInstructions: "be brief", Label: "here",
		Entries: func(add func([]byte) error) error {
			for _, line := range []string{`{"id":"a2","x":"\u00fc"}`, `{"id":"a9"}`} {
				if err := add([]byte(line)); err != nil {
					return err
				}
			}
			return nil
		},
		Conversation: func(w io.Writer) error {
			_, err := io.WriteString(w, "[User]: why\n")
			return err
		}}
}

func TestHookReadsPreparation(t *testing.T) {
	r := newTestRunner(t, eventBeforeTree, `cat > "$0.got"`)
	out, err := r.BeforeTree(t.Context(), testSubject, newPreparation(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Outcome{Label: "here"}); !cmp.Equal(want, out) {
		t.Errorf("a program that says nothing changes nothing: %s", cmp.Diff(want, out))
	}
	text, err := os.ReadFile(filepath.Join(r.Dir, eventBeforeTree+".got"))
	if err != nil {
		t.Fatal(err)
	}
	var got, want any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	_ = json.Unmarshal([]byte(`{"type":"session_before_tree","session":{"file":"/s/a.jsonl","id":"0b0e","cwd":"/proj"},
		"preparation":{"targetId":"a1","oldLeafId":"a9","commonAncestorId":null,"userWantsSummary":false,"customInstructions":"be brief",
		"label":"here","entriesToSummarize":[{"id":"a2","x":"ü"},{"id":"a9"}]}}`), &want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestHookCancels(t *testing.T) {
	r := newTestRunner(t, eventBeforeTree, `echo '{"cancel":true,"reason":"a test runs"}'`)
	_, err := r.BeforeTree(t.Context(), testSubject, newPreparation(), nil)
	if !errors.Is(err, ErrCancelled) || !strings.Contains(err.Error(), "a test runs") {
		t.Errorf("got %v", err)
	}
	r = newTestRunner(t, eventBeforeBranch, `echo '{"cancel":true}'`)
	if err := r.BeforeBranch(t.Context(), testSubject, "a1"); !errors.Is(err, ErrCancelled) {
		t.Errorf("got %v", err)
	}
}

func TestHookReturnsSummary(t *testing.T) {
	r := newTestRunner(t, eventBeforeTree, `echo '{"summary":{"summary":"tried x","details":{"readFiles":["a.go"],"modifiedFiles":["b.go"]}},"label":"mine"}'`)
	r.Summarizer = []string{writeProgram(t, r.Dir, "never", `touch "$0.ran"; echo no`)}
	p := newPreparation()
	p.UserWantsSummary = true
	out, err := r.BeforeTree(t.Context(), testSubject, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := Outcome{Label: "mine", Summary: &session.Summary{Text: "tried x", Program: true, Read: []string{"a.go"}, Modified: []string{"b.go"}}}
	if diff := cmp.Diff(want, out); diff != "" {
		t.Error(diff)
	}
	if _, err := os.Stat(r.Summarizer[0] + ".ran"); err == nil {
		t.Error("the summarizer ran though a program gave the summary")
	}

	out, err = r.BeforeTree(t.Context(), testSubject, newPreparation(), nil)
	if err != nil || out.Summary != nil {
		t.Errorf("a summary that nobody wants is left out: got %+v, %v", out, err)
	}
}

func TestSummarizer(t *testing.T) {
	dir := t.TempDir()
	r := &Runner{Dir: dir, Summarizer: []string{writeProgram(t, dir, "sum", `cat > "$0.got"; echo reading >&2; echo " it ended $1 "`), "well; $(x)"}}
	p := newPreparation()
	p.UserWantsSummary = true
	var mu sync.Mutex
	var told []string
	out, err := r.BeforeTree(t.Context(), testSubject, p, func(s string) { mu.Lock(); told = append(told, s); mu.Unlock() })
	if err != nil {
		t.Fatal(err)
	}
	if want := (&session.Summary{Text: summaryPreamble + "it ended well; $(x)"}); !cmp.Equal(want, out.Summary) || !out.Generated {
		t.Errorf("got %+v", out.Summary)
	}
	if !cmp.Equal([]string{"22 bytes written", "reading"}, slices.Sorted(slices.Values(told))) {
		t.Errorf("progress: %q", told)
	}
	got := readText(t, r.Summarizer[0]+".got")
	if !strings.HasPrefix(got, "<conversation>\n[User]: why\n</conversation>\n\n") || !strings.HasSuffix(got, "Print the summary alone.\n\nAbove all: be brief\n") {
		t.Errorf("stdin: %s", got)
	}
}

// A hook may replace the instructions of the summarizer.
func TestInstructionsReplaced(t *testing.T) {
	r := newTestRunner(t, eventBeforeTree, `echo '{"customInstructions":"one word","replaceInstructions":true}'`)
	r.Summarizer = []string{writeProgram(t, r.Dir, "sum", `cat > "$0.got"; echo done`)}
	p := newPreparation()
	p.UserWantsSummary = true
	if _, err := r.BeforeTree(t.Context(), testSubject, p, nil); err != nil {
		t.Fatal(err)
	}
	if got, want := readText(t, r.Summarizer[0]+".got"), "<conversation>\n[User]: why\n</conversation>\n\none word\n"; got != want {
		t.Errorf("got %q", got)
	}
}

func TestNothingToSummarize(t *testing.T) {
	p := newPreparation()
	p.UserWantsSummary, p.Conversation = true, nil
	r := &Runner{Summarizer: []string{"/nonexistent"}}
	if out, err := r.BeforeTree(t.Context(), testSubject, p, nil); err != nil || out.Summary != nil {
		t.Errorf("got %+v, %v", out, err)
	}
}

// Without a summarizer no program is started.
func TestNoSummarizer(t *testing.T) {
	r := newTestRunner(t, eventBeforeTree, `touch "$0.ran"`)
	p := newPreparation()
	p.UserWantsSummary = true
	p.Entries = func(func([]byte) error) error { t.Error("entries were read"); return nil }
	if _, err := r.BeforeTree(t.Context(), testSubject, p, nil); !errors.Is(err, ErrNoSummarizer) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(r.Dir, eventBeforeTree+".ran")); err == nil {
		t.Error("the program that listens ran")
	}
}

func TestBadPrograms(t *testing.T) {
	for name, c := range map[string]struct{ script, want string }{
		"fails":         {`echo oh no >&2; echo '{}'; exit 3`, "exit status 3: oh no"},
		"no JSON":       {`echo hello`, "invalid response"},
		"not an object": {`echo '[1]'`, "invalid response"},
		"two answers":   {`echo '{}{}'`, "more than one answer"},
		"mistyped":      {`echo '{"cancle":true}'`, `unknown field "cancle"`},
		"no summary":    {`echo '{"summary":{"summary":" "}}'`, "an empty summary"},
		"colours":       {`printf '\033[31mred\033[0m\377' >&2; exit 1`, "[31mred[0m\uFFFD"},
		"too much":      {`head -c 5000000 /dev/zero; sleep 1000`, "more than 4 MiB"},
		"long stderr":   {`i=0; while [ $i -lt 1000 ]; do echo "line $i" >&2; i=$((i+1)); done; exit 1`, "exit status 1: line "},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := newTestRunner(t, eventBeforeTree, c.script).BeforeTree(t.Context(), testSubject, newPreparation(), nil)
			if !errors.Is(err, ErrFailed) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want it to say %q", err, c.want)
			}
			if err != nil && len(err.Error()) > maxStderrTail+200 {
				t.Errorf("a message of %d bytes", len(err.Error()))
			}
		})
	}
}

func TestNotExecutable(t *testing.T) {
	r := newTestRunner(t, eventTree, "exit 0")
	if err := os.Chmod(filepath.Join(r.Dir, eventTree), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := r.AfterTree(t.Context(), testSubject, Move{}); !errors.Is(err, ErrFailed) || !strings.Contains(err.Error(), "not executable") {
		t.Errorf("got %v", err)
	}
}

// A program need not read its input, however large it is.
func TestInputIgnored(t *testing.T) {
	p := newPreparation()
	p.Entries = func(add func([]byte) error) error {
		line := []byte(`"` + strings.Repeat("x", 1<<20) + `"`)
		for range 8 {
			if err := add(line); err != nil {
				return err
			}
		}
		return nil
	}
	if _, err := newTestRunner(t, eventBeforeTree, `exec 0<&-; exit 0`).BeforeTree(t.Context(), testSubject, p, nil); err != nil {
		t.Error(err)
	}
}

// An error in producing the input ends the program.
func TestInputFails(t *testing.T) {
	p := newPreparation()
	p.Entries = func(func([]byte) error) error { return session.ErrStale }
	_, err := newTestRunner(t, eventBeforeTree, `cat >/dev/null; sleep 1000`).BeforeTree(t.Context(), testSubject, p, nil)
	if !errors.Is(err, session.ErrStale) {
		t.Errorf("got %v", err)
	}
}

// survivingScript writes to a pipe and then runs forever, as do its children. The pipe
// closes when the last of them ends.
const survivingScript = `exec 3>"$0.pipe"; sleep 1000 & (trap '' TERM; sleep 1000 & wait) & echo up >&3; wait; sleep 1000`

// waitForPipe waits until the processes of survivingScript run, and returns a function
// that waits until they have ended.
func waitForPipe(t *testing.T, path string) (gone func()) {
	t.Helper()
	f, err := os.Open(path) // blocks until a process writes
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(f, make([]byte, len("up\n"))); err != nil {
		t.Fatal(err)
	}
	return func() {
		defer f.Close()
		began := time.Now()
		if _, err := io.Copy(io.Discard, f); err != nil {
			t.Fatal(err)
		}
		if d := time.Since(began); d > time.Minute {
			t.Errorf("gone after %s", d)
		}
	}
}

func TestCancelEndsProcessGroup(t *testing.T) {
	for _, trap := range []string{"", "trap '' TERM; "} {
		r := newTestRunner(t, eventBeforeTree, trap+survivingScript)
		pipe := filepath.Join(r.Dir, eventBeforeTree+".pipe")
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		result := make(chan error, 1)
		go func() {
			_, err := r.BeforeTree(ctx, testSubject, newPreparation(), nil)
			result <- err
		}()
		gone := waitForPipe(t, pipe)
		cancel()
		gone()
		if err := <-result; !errors.Is(err, context.Canceled) {
			t.Errorf("%q: got %v", trap, err)
		}
	}
}

func TestTimeLimit(t *testing.T) {
	r := newTestRunner(t, eventBeforeTree, `echo begun >&2; sleep 1000`)
	r.Timeout = 50 * time.Millisecond
	_, err := r.BeforeTree(t.Context(), testSubject, newPreparation(), nil)
	if !errors.Is(err, errTimeout) || !errors.Is(err, ErrFailed) {
		t.Errorf("got %v", err)
	}
}

// The children of a program end with it and do not delay it.
func TestChildProcessesEnd(t *testing.T) {
	r := newTestRunner(t, eventTree, `exec 3>"$0.pipe"; echo up >&3; sleep 1000 &`)
	pipe := filepath.Join(r.Dir, eventTree+".pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	result := make(chan error, 1)
	go func() { result <- r.AfterTree(t.Context(), testSubject, Move{}) }()
	waitForPipe(t, pipe)()
	if err := <-result; err != nil {
		t.Error(err)
	}
}

func TestAfterEvents(t *testing.T) {
	dir := t.TempDir()
	for _, event := range []string{eventTree, eventBranch, eventLabel} {
		writeProgram(t, dir, event, `cat > "$0.got"; echo whatever`)
	}
	r, leaf := &Runner{Dir: dir}, "b1"
	errs := errors.Join(
		r.AfterTree(t.Context(), testSubject, Move{NewLeafID: &leaf, SummaryEntry: []byte(`{"id":"b1"}`), FromExtension: true}),
		r.AfterBranch(t.Context(), testSubject, SessionForked{"a1", "/s/b.jsonl", "0c"}),
		r.AfterLabel(t.Context(), testSubject, LabelChange{"a1", "<b>", ""}))
	if errs != nil {
		t.Fatal(errs)
	}
	const s = `,"session":{"file":"/s/a.jsonl","id":"0b0e","cwd":"/proj"},`
	for event, want := range map[string]string{
		eventTree:   `{"type":"session_tree"` + s + `"newLeafId":"b1","oldLeafId":null,"summaryEntry":{"id":"b1"},"fromExtension":true}`,
		eventBranch: `{"type":"session_branch"` + s + `"entryId":"a1","newSessionFile":"/s/b.jsonl","newSessionId":"0c"}`,
		eventLabel:  `{"type":"session_label"` + s + `"targetId":"a1","label":"\u003cb\u003e","previousLabel":""}`,
	} {
		if got := readText(t, filepath.Join(dir, event+".got")); got != want+"\n" {
			t.Errorf("%s: got %s want %s", event, got, want)
		}
	}
}

func TestNoHooks(t *testing.T) {
	for _, r := range []*Runner{{}, {Dir: t.TempDir()}, {Dir: filepath.Join(t.TempDir(), "none")}} {
		out, err := r.BeforeTree(t.Context(), testSubject, newPreparation(), nil)
		if err = errors.Join(err, r.AfterTree(t.Context(), testSubject, Move{}), r.BeforeBranch(t.Context(), testSubject, "a")); err != nil || out.Label != "here" {
			t.Errorf("%+v: got %+v, %v", r, out, err)
		}
	}
}

func TestParseCommand(t *testing.T) {
	for text, want := range map[string][]string{
		`llm -m "a b" 'c $d'`: {"llm", "-m", "a b", "c $d"},
		`./sum.sh`:            {"./sum.sh"},
		`x $HOME`:             {"x", "$HOME"},
		`x "a|b" "" \;`:       {"x", "a|b", "", ";"},
		"":                    nil, "  ": nil, `x 'y`: nil, `x | y`: nil, `x > y`: nil, `x; y`: nil, `x && y`: nil, `ü 2>y`: nil,
	} {
		got, err := ParseCommand(text)
		if (err != nil) != (want == nil) || !cmp.Equal(want, got) {
			t.Errorf("%q: got %q, %v", text, got, err)
		}
	}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
