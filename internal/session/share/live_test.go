package share_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/share"
	"sessiontree/internal/session/store"
)

// looker counts the lines that are looked through, and fails at those that hold a
// word.
type looker struct {
	lines atomic.Int32
	fails atomic.Bool
}

func (l *looker) Replace(text string, classes map[string]bool) (string, map[string]int) {
	return rules.Replace(text, classes)
}

func (l *looker) JSON(line []byte, classes map[string]bool) ([]byte, bool, map[string]int, error) {
	l.lines.Add(1)
	if l.fails.Load() {
		return nil, false, nil, errFailing
	}
	return rules.JSON(line, classes)
}

// live is a live share of all of a session that a test writes.
type live struct {
	*share.Shares
	t      testing.TB
	dir    string
	clock  *clock
	agent  *agent
	src    *store.Session
	looker looker
	token  string
	made   share.Share
	reader *store.Session
	told   []store.ChangeKind // what the reader heard
}

func newLive(t testing.TB) *live {
	l := &live{t: t, dir: t.TempDir(), clock: newClock(), agent: newAgent(t, t.TempDir())}
	l.agent.say("", "user", "hello")
	l.agent.say(l.agent.leaf, "assistant", "hello yourself")
	l.src = source(t, l.agent.path)
	var err error
	l.Shares, err = share.New(share.Config{Dir: l.dir, Formats: format.All, Redactor: &l.looker, Clock: l.clock.now,
		Changed: func(_ *store.Session, c store.Change) { l.told = append(l.told, c.Kind) }})
	if err != nil {
		t.Fatal(err)
	}
	q := whole(l.src)
	q.Live = true
	l.token, l.made = create(t, l.Shares, q)
	if l.reader, _, err = l.Open(t.Context(), l.token); err != nil {
		t.Fatal(err)
	}
	return l
}

// follow follows, and answers what the reader heard and how many lines were looked
// through.
func (l *live) follow() ([]store.ChangeKind, int32) {
	l.told = nil
	before := l.looker.lines.Load()
	l.Follow(l.t.Context(), l.src)
	return l.told, l.looker.lines.Load() - before
}

// What is new is added to the snapshot, and nothing else is read, looked through or
// written.
func TestFollowAdds(t *testing.T) {
	l := newLive(t)
	if diff := cmp.Diff([]string{l.agent.path}, l.Live()); diff != "" {
		t.Error(diff)
	}
	if told, lines := l.follow(); len(told) != 0 || lines != 0 {
		t.Errorf("nothing is new: %v, %d lines", told, lines)
	}
	l.agent.say(l.agent.leaf, "user", "my key is "+secrets[0])
	if told, lines := l.follow(); !slices.Equal(told, []store.ChangeKind{store.Appended}) || lines != 1 {
		t.Errorf("a line is new: %v, %d lines", told, lines)
	}
	l.agent.label("e0000001", "the start")
	if told, lines := l.follow(); !slices.Equal(told, []store.ChangeKind{store.Appended}) || lines != 1 {
		t.Errorf("a label is new: %v, %d lines", told, lines)
	}
	l.agent.say(l.agent.leaf, "assistant", "I have not seen it")
	if told, lines := l.follow(); !slices.Equal(told, []store.ChangeKind{store.Appended}) || lines != 1 {
		t.Errorf("a line is new after a label: %v, %d lines", told, lines)
	}
	if diff := cmp.Diff(look(t, l.src).Labels, look(t, l.reader).Labels); diff != "" {
		t.Error(diff)
	}
	now, err := l.Find(l.token)
	if err != nil || now.Entries != 5 || now.Of != 5 || !slices.Contains(now.Redacted, export.Count{Kind: "github pat", Count: 1}) {
		t.Errorf("%+v, %v", now, err)
	}
	l.agent.label("e0000001", "") // what was told is not true any more
	if told, _ := l.follow(); !slices.Equal(told, []store.ChangeKind{store.Rewritten}) || len(look(t, l.reader).Labels) != 0 {
		t.Errorf("a label is cleared: %v", told)
	}
	clean(t, l.dir)
}

// A session that goes leaves its shares as they are, also for good.
func TestSourceGone(t *testing.T) {
	l := newLive(t)
	if err := os.Remove(l.agent.path); err != nil {
		t.Fatal(err)
	}
	l.follow()
	if open, _, err := l.Open(t.Context(), l.token); err != nil || len(ids(open)) != 2 {
		t.Error(err)
	}
	if open, _, err := shares(t, l.dir, l.clock).Open(t.Context(), l.token); err != nil || len(ids(open)) != 2 {
		t.Error(err)
	}
}

// A line that cannot be looked through is not shown, and nothing is from then on.
func TestFollowFails(t *testing.T) {
	l := newLive(t)
	l.looker.fails.Store(true)
	l.agent.say(l.agent.leaf, "user", "what is this?")
	if told, _ := l.follow(); !slices.Equal(told, []store.ChangeKind{store.Removed}) {
		t.Errorf("the reader heard %v", told)
	}
	l.closed("looked through")
}

// closed demands that the program revoked the share, and says why.
func (l *live) closed(why string) {
	for _, s := range []*share.Shares{l.Shares, shares(l.t, l.dir, l.clock)} {
		if _, now, err := s.Open(l.t.Context(), l.token); !errors.Is(err, share.ErrGone) || now.Revoked.IsZero() || !strings.Contains(now.Why, why) {
			l.t.Errorf("%+v, %v", now, err)
		}
	}
	if len(l.Live()) != 0 {
		l.t.Error(l.Live())
	}
	for _, file := range files(l.t, l.dir) {
		if base := filepath.Base(file); base != "share.json" && base != "visits" {
			l.t.Errorf("%s is left", file)
		}
	}
}

// A snapshot that cannot be written revokes the share.
func TestFollowCannotWrite(t *testing.T) {
	l := newLive(t)
	path := l.reader.Path()
	if err := errors.Join(os.Remove(path), os.MkdirAll(filepath.Join(path, "x"), 0o700)); err != nil {
		t.Fatal(err)
	}
	l.agent.say(l.agent.leaf, "user", "more")
	l.follow()
	l.closed("could not follow")
}

// What is revoked or expired is not written to again.
func TestFollowEnds(t *testing.T) {
	l := newLive(t)
	q := whole(l.src)
	q.Live, q.Keep = true, time.Hour
	create(t, l.Shares, q)
	if err := l.Revoke(t.Context(), l.made.ID); err != nil {
		t.Fatal(err)
	}
	l.clock.time = l.clock.time.Add(2 * time.Hour)
	l.agent.say(l.agent.leaf, "user", "more")
	if told, lines := l.follow(); len(told) != 0 || lines != 0 || len(l.Live()) != 0 {
		t.Errorf("%v, %d lines, %v", told, lines, l.Live())
	}
}

// A crash between the snapshot and its record, or in the middle of the snapshot, is
// made good.
func TestFollowAfterCrash(t *testing.T) {
	l := newLive(t)
	f, err := os.OpenFile(l.reader.Path(), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(`{"type":"message","id":"half`)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	l.agent.say(l.agent.leaf, "user", "more")
	l.follow()
	if diff := cmp.Diff(look(t, l.src), look(t, l.reader)); diff != "" {
		t.Error(diff)
	}
}

// Whatever agent writes a session, its live share is what would be made of it.
func TestFollowOtherAgents(t *testing.T) {
	for _, c := range []struct {
		file string
		part export.Part
	}{
		{"claude/project/11111111-0000-4000-8000-000000000001.jsonl", export.Part{Scope: export.Tree}},
		{"claude/project/11111111-0000-4000-8000-000000000001.jsonl", export.Part{Scope: export.Path}},
		{"claude/project/22222222-0000-4000-8000-000000000002.jsonl", export.Part{Scope: export.Tree}},
		{"wave/project/0aa11111-1111-4111-8111-111111111111.jsonl", export.Part{Scope: export.Tree}},
		{"wave/forms/compaction.jsonl", export.Part{Scope: export.Path}},
		{"dialects/omp18-summaries/input.jsonl", export.Part{Scope: export.Tree}},
		{"dialects/omp18-title-slot/input.jsonl", export.Part{Scope: export.Tree}},
		{"dialects/pi15-labels/input.jsonl", export.Part{Scope: export.Tree}},
		{"dialects/pi15-context-edit/input.jsonl", export.Part{Scope: export.Tree}},
	} {
		t.Run(c.file+" "+string(c.part.Scope), func(t *testing.T) { grown(t, testdata+c.file, c.part) })
	}
}

// grown lets a session grow line by line.
func grown(t *testing.T, file string, part export.Part) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir, again := t.TempDir(), t.TempDir()
	path := filepath.Join(dir, "0aa11111-1111-4111-8111-111111111111.jsonl")
	lines := bytes.SplitAfter(text, []byte("\n"))
	s, c := shares(t, t.TempDir(), newClock()), newClock()
	var src, reader *store.Session
	var made share.Share
	token, compared := "", 0
	for n := range lines {
		if err := os.WriteFile(path, bytes.Join(lines[:n+1], nil), 0o600); err != nil {
			t.Fatal(err)
		}
		if token == "" {
			lib, err := store.New(store.Config{Formats: format.All, Roots: []string{dir}, Home: "/home/tester", Clock: c.now})
			if err != nil {
				t.Fatal(err)
			}
			if src, err = lib.Open(ctx, path); err != nil {
				continue
			}
			q := whole(src)
			q.Live, q.Options.Part = true, part
			if token, made, err = s.Create(ctx, q); err != nil {
				token = "" // there is nothing to share yet
				continue
			}
			src.Read(func(t *session.Tree, _ store.Rev) {
				if part.Scope != export.Tree {
					part.Entry = made.Source.Entry
				}
			})
			if reader, _, err = s.Open(ctx, token); err != nil {
				t.Fatal(err)
			}
		}
		s.Follow(ctx, src)
		if now, err := s.Find(token); err != nil {
			t.Fatal(n, err, now.Why)
		}
		if _, err := reader.Refresh(ctx); err != nil {
			t.Fatal(err)
		}
		src.Read(func(t *session.Tree, _ store.Rev) { part, err = part.Onward(t) })
		if err != nil {
			t.Fatal(err)
		}
		fresh, _ := afresh(t, again, src, made, part)
		is, want := look(t, reader), look(t, fresh)
		if diff := cmp.Diff(want, is); diff != "" {
			t.Fatalf("after line %d:\n%s", n+1, diff)
		}
		compared++
	}
	if compared < 2 {
		t.Errorf("only %d states were compared", compared)
	}
}

// Everything at once: nothing is shown of what is revoked, and nobody waits for ever.
func TestTogether(t *testing.T) {
	l := newLive(t)
	l.Shares = shares(t, l.dir, l.clock) // which tells nobody
	other := shares(t, l.dir, l.clock)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var all sync.WaitGroup
	for _, s := range []*share.Shares{l.Shares, other} {
		for range 2 {
			all.Go(func() {
				for range 20 {
					s.Follow(ctx, l.src)
					if _, _, err := s.Open(ctx, l.token); err != nil && !errors.Is(err, share.ErrGone) {
						t.Error(err)
					}
					s.Visited(l.made.ID)
					s.List()
				}
			})
		}
	}
	all.Go(func() {
		for range 20 {
			l.agent.say(l.agent.leaf, "user", "on")
			if _, err := l.src.Refresh(ctx); err != nil {
				t.Error(err)
			}
		}
	})
	all.Go(func() {
		for n := range 5 {
			q := whole(l.src)
			q.Live = n%2 == 0
			_, made, err := other.Create(ctx, q)
			if err == nil {
				err = l.Shares.Revoke(ctx, made.ID)
			}
			if err == nil {
				err = other.Forget(ctx, made.ID)
			}
			if err != nil {
				t.Error(err)
			}
		}
	})
	all.Wait()
	l.Follow(ctx, l.src)
	open, _, err := other.Open(ctx, l.token)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(look(t, l.src), look(t, open)); diff != "" {
		t.Error(diff)
	}
	if err := other.Revoke(ctx, l.made.ID); err != nil {
		t.Error(err)
	}
	if _, _, err := l.Open(ctx, l.token); !errors.Is(err, share.ErrGone) {
		t.Error(err)
	}
}

// What an agent takes back is taken back from its readers too.
func TestTakenBack(t *testing.T) {
	text, err := os.ReadFile(testdata + "wave/project/0aa11111-1111-4111-8111-111111111111.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "0aa11111-1111-4111-8111-111111111111.jsonl")
	lines := bytes.SplitAfter(text, []byte("\n"))
	write := func(n int) {
		if err := os.WriteFile(path, bytes.Join(lines[:n], nil), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(len(lines))
	dir, told := t.TempDir(), 0
	s, err := share.New(share.Config{Dir: dir, Formats: format.All, Redactor: rules, Changed: func(*store.Session, store.Change) { told++ }})
	if err != nil {
		t.Fatal(err)
	}
	src := source(t, path)
	q := whole(src)
	q.Live = true
	token, _ := create(t, s, q)
	reader, _, err := s.Open(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	before := len(ids(reader))
	write(3)
	s.Follow(t.Context(), src)
	if after := len(ids(reader)); after >= before || told == 0 {
		t.Errorf("%d entries became %d, the reader was told %d times", before, after, told)
	}
	if kept := files(t, filepath.Join(dir, "rewound")); len(kept) != 0 {
		t.Error(kept)
	}
}

// Where the agent stands is told only while that is in the snapshot.
func TestLeafElsewhere(t *testing.T) {
	dir, again := t.TempDir(), t.TempDir()
	path := filepath.Join(dir, "0aa11111-1111-4111-8111-111111111111.jsonl")
	line := func(id, above, typ string) string {
		return `{"type":"` + typ + `","uuid":"` + id + `","parentUuid":` + above + `,"sessionId":"0aa11111-1111-4111-8111-111111111111","isSidechain":false,` +
			`"message":{"role":"` + typ + `","content":[{"type":"text","text":"` + id + `"}]},"timestamp":"2026-01-01T00:00:00.000Z"}` + "\n"
	}
	text := line("u0", "null", "user") + line("a0", `"u0"`, "assistant") + line("u1", `"a0"`, "user") + line("a1", `"u1"`, "assistant") + line("a2", `"u1"`, "assistant") +
		`{"type":"last-prompt","lastPrompt":"","leafUuid":"a1","sessionId":"0aa11111-1111-4111-8111-111111111111"}` + "\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	src := source(t, path)
	s := shares(t, t.TempDir(), newClock())
	q := whole(src)
	q.Live, q.Options.Part = true, export.Part{Scope: export.Subtree, Entry: "u1"}
	token, made := create(t, s, q)
	reader, _, err := s.Open(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	if got := look(t, reader).Leaf; got != "a1" {
		t.Errorf("the leaf is %s", got)
	}
	if err := os.WriteFile(path, []byte(text+line("u9", `"a0"`, "user")), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Follow(t.Context(), src)
	fresh, _ := afresh(t, again, src, made, q.Options.Part)
	if diff := cmp.Diff(look(t, fresh), look(t, reader)); diff != "" {
		t.Error(diff)
	}
}
