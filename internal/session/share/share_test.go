package share_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/redact"
	"sessiontree/internal/session/share"
	"sessiontree/internal/session/store"
)

func TestMain(m *testing.M) {
	runChild()
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("sessiontree/internal/syscallfault.(*Calls).answer"))
}

const testdata = "../../../testdata/"

// clock is a clock that tests set.
type clock struct{ time time.Time }

func (c *clock) now() time.Time { return c.time }

func newClock() *clock { return &clock{time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

var rules = redact.New(redact.Options{Home: "/home/tester", User: "tester", Host: "testhost"})

var everything = map[string]bool{redact.ClassKeys: true, redact.ClassPersonal: true}

// openShares opens the shares of a directory.
func openShares(t failer, dir string, c *clock) *share.Shares {
	s, err := share.New(share.Config{Dir: dir, Formats: format.All, Home: "/home/tester", Redactor: rules, Clock: c.now})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// failer is a test or a rapid.T.
type failer interface{ Fatal(...any) }

// openSource opens a session file with its related files.
func openSource(t failer, path string) *store.Session {
	ctx := context.Background()
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{filepath.Dir(path)}, Home: "/home/tester"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := lib.Open(ctx, path)
	if err != nil {
		t.Fatal(path, err)
	}
	return s
}

const forkedFile = testdata + "pi/kitchen-sink/input.jsonl"

// wholeRequest returns a request for a whole session.
func wholeRequest(src *store.Session) share.Request {
	return share.Request{Session: src, ShowNames: true, Options: export.Options{Part: export.Part{Scope: export.Tree}, Classes: everything}}
}

// createShare creates a share and fails the test on an error.
func createShare(t failer, s *share.Shares, q share.Request) (string, share.Share) {
	token, made, err := s.Create(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return token, made
}

// entryIDs lists the entries of a session.
func entryIDs(s *store.Session) (all []string) {
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		for p := range session.Pos(t.Len()) {
			all = append(all, t.At(p).ID)
		}
	})
	return all
}

// listFiles lists the files below a directory.
func listFiles(t failer, dir string) (all []string) {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, path)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return all
}

// ignoreUnrecorded ignores the fields of a share that are not recorded.
var ignoreUnrecorded = cmpopts.IgnoreFields(share.Share{}, "Visits", "Visited", "Lost")

// A share is found only by its token, by this process and the next one. Its snapshot is a
// session of the same format, for all formats.
func TestShare(t *testing.T) {
	all, err := filepath.Glob(testdata + "dialects/omp*/input.jsonl")
	if err != nil || len(all) < 10 {
		t.Fatal(all, err)
	}
	all = append(all, forkedFile, testdata+"claude/project/22222222-0000-4000-8000-000000000002.jsonl",
		testdata+"wave/project/0aa11111-1111-4111-8111-111111111111.jsonl")
	for _, file := range all {
		t.Run(strings.TrimPrefix(file, testdata), func(t *testing.T) {
			q := wholeRequest(openSource(t, file))
			if strings.Contains(file, "wave") { // Wave files have no branches
				q.Options.Part.Scope = export.Path
			}
			checkFound(t, q)
		})
	}
}

func checkFound(t *testing.T, q share.Request) {
	src := q.Session
	dir, c := t.TempDir(), newClock()
	s := openShares(t, dir, c)
	token, made := createShare(t, s, q)
	for _, s := range []*share.Shares{s, openShares(t, dir, c)} {
		open, got, err := s.OpenSnapshot(t.Context(), token)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(made, got, ignoreUnrecorded); diff != "" {
			t.Error(diff)
		}
		if n := len(entryIDs(open)); open.Format() != src.Format() || n < made.Entries || n > made.Entries+1 { // one line may record the leaf
			t.Errorf("%s with %d entries of %d", open.Format().Name, n, made.Entries)
		}
		if diff := cmp.Diff([]share.Share{made}, s.List(), ignoreUnrecorded); diff != "" {
			t.Error(diff)
		}
	}
	for _, file := range listFiles(t, dir) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), token) || filepath.Ext(file) == ".jsonl" && strings.Contains(string(text), src.Path()) {
			t.Errorf("%s holds the token or where the source is", file)
		}
	}
}

// A malformed token and an unknown one cause the same error.
func TestWrongTokens(t *testing.T) {
	s := openShares(t, t.TempDir(), newClock())
	token, made := createShare(t, s, wholeRequest(openSource(t, forkedFile)))
	wrong := []string{"", "x", made.ID, token[:21], token + "A", token + "=", "../" + token[3:], strings.Repeat("A", 22), token[:21] + "!",
		strings.Repeat("é", 11), token[1:] + token[:1], strings.ToUpper(token), strings.Repeat("A", 1<<20)}
	for i := range token { // every character counts, including the spare bits of the last one
		for _, c := range "ABQgwz-_" {
			if other := token[:i] + string(c) + token[i+1:]; other != token {
				wrong = append(wrong, other)
			}
		}
	}
	for _, token := range wrong {
		if _, got, err := s.OpenSnapshot(t.Context(), token); !errors.Is(err, session.ErrNotFound) || got.ID != "" || err.Error() != "not found: there is no such share" {
			t.Errorf("%.40q: %v", token, err)
		}
	}
}

func TestExpiry(t *testing.T) {
	c := newClock()
	s := openShares(t, t.TempDir(), c)
	q := wholeRequest(openSource(t, forkedFile))
	q.Lifetime = 24 * time.Hour
	token, made := createShare(t, s, q)
	c.time = c.time.Add(24*time.Hour - 1)
	if _, _, err := s.OpenSnapshot(t.Context(), token); err != nil {
		t.Error(err)
	}
	if err := s.Forget(t.Context(), made.ID); !errors.Is(err, session.ErrConflict) {
		t.Errorf("an open share was forgotten: %v", err)
	}
	c.time = c.time.Add(1)
	if _, got, err := s.OpenSnapshot(t.Context(), token); !errors.Is(err, share.ErrGone) || got.ID != made.ID {
		t.Error(err)
	}
	if err := s.Forget(t.Context(), made.ID); err != nil || len(s.List()) != 0 {
		t.Error(err, s.List())
	}
	if _, err := s.FindByToken(token); !errors.Is(err, session.ErrNotFound) {
		t.Error(err)
	}
}

// A revoked share is gone for every process at once, and none of its content remains on
// disk.
func TestRevoke(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	s, other := openShares(t, dir, c), openShares(t, dir, c)
	token, made := createShare(t, s, wholeRequest(openSource(t, forkedFile)))
	if _, _, err := other.OpenSnapshot(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	if err := s.Revoke(t.Context(), made.ID); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*share.Shares{s, other, openShares(t, dir, c)} {
		_, got, err := s.OpenSnapshot(t.Context(), token)
		if !errors.Is(err, share.ErrGone) || got.StateAt(c.now()) != share.Revoked || got.RevokeReason != "" {
			t.Errorf("%+v, %v", got, err)
		}
	}
	for _, file := range listFiles(t, dir) {
		if filepath.Ext(file) == ".jsonl" {
			t.Errorf("%s is still there", file)
		}
	}
	c.time = c.time.Add(time.Hour)
	if err := other.Revoke(t.Context(), made.ID); err != nil || !other.List()[0].Revoked.Equal(c.time.Add(-time.Hour)) {
		t.Error(err, other.List())
	}
	for _, id := range []string{"", "..", "00000000", made.ID + "/.."} {
		if err := s.Revoke(t.Context(), id); !errors.Is(err, session.ErrNotFound) {
			t.Errorf("%q: %v", id, err)
		}
		if err := s.Forget(t.Context(), id); !errors.Is(err, session.ErrNotFound) {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// A session that begins with a large image is recognized.
func TestLongLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "0aa11111-1111-4111-8111-111111111111.jsonl")
	text := `{"type":"summary","summary":"s","leafUuid":"u1"}` + "\n" +
		`{"parentUuid":null,"isSidechain":false,"sessionId":"0aa11111-1111-4111-8111-111111111111","type":"user","message":{"role":"user","content":"` +
		strings.Repeat("much ", 30_000) + `"},"uuid":"u1","timestamp":"2026-01-01T00:00:00.000Z"}` + "\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	createShare(t, openShares(t, t.TempDir(), newClock()), wholeRequest(openSource(t, path)))
}

// Sensitive values are in no file of a share and in nothing that it shows.
func TestSecrets(t *testing.T) {
	a := newAgent(t, t.TempDir())
	for _, s := range secrets {
		a.say(a.leaf, "user", "say "+s)
		a.entry(a.leaf, "session_info", fmt.Sprintf(`"name":%q`, "about "+s))
		a.label(a.ids[0], s)
		a.entry(a.leaf, "message", fmt.Sprintf(`"message":{"role":"toolResult","toolCallId":"c","toolName":"bash","content":[{"type":"text","text":%q}],"details":{%q:{"x":[%q]}}}`, s, s, s))
	}
	dir, src := t.TempDir(), openSource(t, a.path)
	for _, scope := range []export.Scope{export.Tree, export.Path, export.Subtree} {
		s := openShares(t, dir, newClock())
		q := wholeRequest(src)
		q.Options.Part.Scope = scope
		createShare(t, s, q)
		q.Title, q.Note = "told: "+secrets[0], "at "+secrets[1]+" by "+secrets[2]
		_, made := createShare(t, s, q)
		if made.Title != "told: [redacted: github token]" || made.Note != "at ~ by user@example.org" {
			t.Errorf("%q, %q", made.Title, made.Note)
		}
	}
	checkNoSecrets(t, dir)
}

// A share that cannot be created leaves nothing behind.
func TestCreate_RemovesFiles(t *testing.T) {
	dir := t.TempDir()
	s, src := openShares(t, dir, newClock()), openSource(t, forkedFile)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := s.Create(ended, wholeRequest(src)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	q := wholeRequest(src)
	q.Options.Redactor = failingRedactor{}
	if _, _, err := s.Create(t.Context(), q); !errors.Is(err, errFailing) {
		t.Error(err)
	}
	q = wholeRequest(src)
	q.Options.Part.Entry = "none"
	q.Options.Part.Scope = export.Path
	if _, _, err := s.Create(t.Context(), q); !errors.Is(err, session.ErrNotFound) {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 || len(s.List()) != 0 {
		t.Error(left, err)
	}
}

var errFailing = errors.New("a line that cannot be looked through")

type failingRedactor struct{}

func (failingRedactor) RedactText(text string, _ map[string]bool) (string, map[string]int) {
	return text, nil
}

func (failingRedactor) FindValues([]byte) ([]redact.Value, error) { return nil, errFailing }

func (failingRedactor) RedactJSON([]byte, map[string]bool) ([]byte, bool, map[string]int, error) {
	return nil, false, nil, errFailing
}
