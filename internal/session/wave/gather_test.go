package wave

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"sessiontree/internal/session"
)

// cachingDir is a directory that caches facts and counts how often files are opened.
type cachingDir struct {
	fstest.MapFS
	facts  map[string]any // by file and fact
	sizes  map[string]int // of the files when the facts were read
	opened []string
}

func (l *cachingDir) ReadCached(name, what string, read func(f fs.File, old any) any) any {
	key := name + " " + what
	if size, ok := l.sizes[key]; ok && size == len(l.MapFS[name].Data) {
		return l.facts[key]
	}
	f, err := l.Open(name)
	if err != nil {
		return read(nil, nil)
	}
	defer f.Close()
	l.opened = append(l.opened, key)
	l.facts[key], l.sizes[key] = read(f, l.facts[key]), len(l.MapFS[name].Data)
	return l.facts[key]
}

// TestGather_reads checks that a search reads only what changed since the last one.
func TestGather_reads(t *testing.T) {
	t.Parallel()
	dir := &cachingDir{MapFS: project(t), facts: map[string]any{}, sizes: map[string]int{}}
	search := func() []string {
		t.Helper()
		dir.opened = nil
		u, err := gatherSessionFiles(dir, []string{one})
		if err != nil || !slices.Equal(u.Names, []string{one, leaks, past}) || !u.DependsOnContent {
			t.Errorf("gathered %+v, %v", u, err)
		}
		return dir.opened
	}
	if n := len(search()); n < 5 {
		t.Errorf("the first search reads %d files", n)
	}
	if again := search(); len(again) != 0 {
		t.Errorf("a second search reads %v", again)
	}
	dir.MapFS[one].Data = append(dir.MapFS[one].Data, said("z", "user", "more", 50)...)
	if again := search(); !slices.Equal(again, []string{one + " head", one + " prompts"}) {
		t.Errorf("after one file has grown it reads %v", again)
	}
}

// uncachedDir is a directory whose files have all just changed, so that nothing is cached.
type uncachedDir struct{ cachingDir }

func (l *uncachedDir) ReadCached(name, what string, read func(f fs.File, old any) any) any {
	delete(l.sizes, name+" "+what)
	return l.cachingDir.ReadCached(name, what, read)
}

// TestFindOwners_reads checks that no file is read again for every subagent.
func TestFindOwners_reads(t *testing.T) {
	t.Parallel()
	dir := &uncachedDir{cachingDir{MapFS: fstest.MapFS{}, facts: map[string]any{}, sizes: map[string]int{}}}
	running := time.Date(2026, 3, 2, 11, 0, 0, 0, time.UTC)
	want := map[string]string{}
	for i := range 20 {
		main, agent := fmt.Sprintf("0aa11111-1111-4111-8111-%012d.jsonl", i), fmt.Sprintf("subagent-0bb11111-1111-4111-8111-%012d.jsonl", i)
		prompt := fmt.Sprintf("look %d", i)
		dir.MapFS[main] = &fstest.MapFile{Data: []byte(said("m", "user", "hello", 1) + spawns("c", 2, prompt)), ModTime: running}
		dir.MapFS[agent] = &fstest.MapFile{Data: []byte(said("a", "user", prompt, 3)), ModTime: running}
		want[agent] = main
	}
	if got := findOwners(dir); !maps.Equal(got, want) {
		t.Errorf("owners %v, want %v", got, want)
	}
	slices.Sort(dir.opened)
	if once := slices.Compact(slices.Clone(dir.opened)); len(once) != len(dir.opened) || len(once) != 3*20 {
		t.Errorf("%d reads, %d of them different, want 60: %v", len(dir.opened), len(once), dir.opened)
	}
}

// TestGather_emptied checks that a subagent which began before all sessions is shown in one of
// them, and not in a file that a rewind has emptied.
func TestGather_emptied(t *testing.T) {
	t.Parallel()
	const first, later = "0aa11111-1111-4111-8111-111111111111.jsonl", "0ff11111-1111-4111-8111-111111111111.jsonl"
	const agent = "subagent-0bb11111-1111-4111-8111-111111111111.jsonl"
	dir := fstest.MapFS{agent: {Data: []byte(said("a", "user", "look", 1))}, first: {Data: []byte(said("m", "user", "hello", 59))}, later: {}}
	for name, want := range map[string][]string{first: {first, agent}, later: {later}} {
		if u, err := gatherSessionFiles(dir, []string{name}); err != nil || !slices.Equal(u.Names, want) {
			t.Errorf("gathered %q, %v, want %q", u.Names, err, want)
		}
	}
}

// TestPrompts checks that the prompts of a session are those in its file, whatever was read before.
func TestPrompts(t *testing.T) {
	t.Parallel()
	var p *promptList
	for _, step := range []struct {
		text string
		want string
	}{
		{"", ""},
		{spawns("a", 1, "one"), "one"},
		{spawns("a", 1, "one") + said("u", "user", "x", 2) + spawns("b", 3, "two")[:40], "one"},
		{spawns("a", 1, "one") + said("u", "user", "x", 2) + spawns("b", 3, "two  2", "three"), "one|two 2|three"},
		{spawns("a", 1, "one") + said("u", "user", "y", 2) + spawns("b", 3, "four 4", "three"), "one|four 4|three"}, // the same length as before
		{spawns("a", 1, "one"), "one"},
		{said("u", "user", "x", 2), ""},
	} {
		f, err := fstest.MapFS{"f": {Data: []byte(step.text)}}.Open("f")
		if err != nil {
			t.Fatal(err)
		}
		if p = p.readPrompts(f); strings.Join(p.all, "|") != step.want {
			t.Errorf("%.60q: prompts %q, want %q", step.text, p.all, step.want)
		}
	}
	if gone := p.readPrompts(nil); len(gone.all) != 0 {
		t.Errorf("of a file that is gone: %q", gone.all)
	}
}

// TestPrompts_RewrittenMeanwhile checks that prompts of a file that Wave rewrote right after it
// was read are forgotten with the next reading.
func TestPrompts_RewrittenMeanwhile(t *testing.T) {
	t.Parallel()
	for _, now := range []string{"", said("u", "user", "x", 2), spawns("b", 3, "two"), spawns("b", 3, "two") + said("u", "user", "x", 2), said("u", "user", strings.Repeat("x", 1<<14), 2)} {
		var p *promptList
		f := &rewrittenFile{text: spawns("a", 1, "one"), next: now}
		p = p.readPrompts(f)
		if f.text != now || !slices.Equal(p.all, []string{"one"}) {
			t.Fatalf("prompts %q, want those of the file before it was rewritten", p.all)
		}
		for range 2 {
			p = p.readPrompts(f)
		}
		var fresh *promptList
		if want := fresh.readPrompts(f).all; !slices.Equal(p.all, want) {
			t.Errorf("rewritten as %.60q: prompts %q, want %q", now, p.all, want)
		}
	}
}

// rewrittenFile is a file that has other text after its end was read.
type rewrittenFile struct {
	fs.File
	text, next string
}

func (f *rewrittenFile) ReadAt(b []byte, off int64) (int, error) {
	n, err := strings.NewReader(f.text).ReadAt(b, off)
	if err == io.EOF {
		f.text = f.next
	}
	return n, err
}

var _ session.CachingFS = (*cachingDir)(nil)
