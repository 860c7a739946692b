package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// cwds returns the working directory of a followed session and of one opened now, which
// must be the same. A guess is marked with "?".
func cwds(t *testing.T, s *store.Session) string {
	t.Helper()
	if _, err := s.Refresh(ctx); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, one := range []*store.Session{s, open(t, s.Path())} {
		one.ReadTree(func(tree *session.Tree, _ store.Revision) {
			h := tree.Header()
			if h.CwdGuessed {
				h.Cwd += "?"
			}
			if moves := strings.HasPrefix(h.Resume, "cd "); moves == h.CwdGuessed {
				t.Errorf("in %s: resume %q", h.Cwd, h.Resume)
			}
			all = append(all, h.Cwd)
		})
	}
	if all[0] != all[1] {
		t.Errorf("a followed session worked in %s, one opened now in %s", all[0], all[1])
	}
	return all[1]
}

func headerIn(dir string) string {
	return fmt.Sprintf(`{"type":"metadata","workdir":%q,"createdAt":"2026-03-02T10:00:00.000Z"}`+"\n", dir)
}

// A session whose header is gone has the working directory of the other sessions in its
// directory, as they come and go.
func TestSharedCwd(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home-dev-my-shop")
	file := func(n int) string {
		return filepath.Join(dir, fmt.Sprintf("0aa11111-1111-4111-8111-11111111111%d.jsonl", n))
	}
	own := file(0)
	write(t, own, messageLine("m1", "user", "hello"))
	s := open(t, own)
	for _, step := range []struct {
		name, want string
		do         func()
	}{
		{"alone", "/home/dev/my/shop?", func() {}},
		{"a session comes, still empty", "/home/dev/my/shop?", func() { write(t, file(1)) }},
		{"it gets its header", "/home/dev/my-shop", func() { write(t, file(1), headerIn("/home/dev/my-shop")) }},
		{"it goes on", "/home/dev/my-shop", func() { add(t, file(1), messageLine("n1", "user", "hello")) }},
		{"one that was moved here", "/home/dev/my-shop", func() { write(t, file(2), headerIn("/srv/other"), messageLine("o1", "user", "hello")) }},
		{"another directory of this name", "/home/dev/my/shop?", func() { write(t, file(3), headerIn("/home/dev/my/shop"), messageLine("p1", "user", "hello")) }},
		{"and gone", "/home/dev/my-shop", func() {
			if err := os.Remove(file(3)); err != nil {
				t.Fatal(err)
			}
		}},
		{"no session of this format", "/home/dev/my-shop", func() { write(t, file(4), `{"type":"session","id":"x","version":3,"cwd":"/home/dev/my/shop"}`+"\n") }},
		{"a header of its own", "/home/dev/my_shop", func() { write(t, own, headerIn("/home/dev/my_shop"), messageLine("m1", "user", "hello")) }},
		{"which a rewind takes away", "/home/dev/my-shop", func() { write(t, own, messageLine("m1", "user", "hello")) }},
		{"as one does of the session beside it", "/home/dev/my/shop?", func() { write(t, file(1), messageLine("n1", "user", "hello")) }},
	} {
		step.do()
		if got := cwds(t, s); got != step.want {
			t.Errorf("%s: %s, want %s", step.name, got, step.want)
		}
	}
}

// A change is reported to a page that shows the session.
func TestSharedCwd_notice(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home-dev-my-shop")
	own := filepath.Join(dir, linearID+".jsonl")
	write(t, own, messageLine("m1", "user", "hello"))
	s := open(t, own)
	write(t, filepath.Join(dir, "0bb22222-2222-4222-8222-222222222222.jsonl"), headerIn("/home/dev/my-shop"))
	if c, err := s.Refresh(ctx); err != nil || c.Kind != store.Rewritten {
		t.Errorf("change %+v, %v", c, err)
	}
	if c, err := s.Refresh(ctx); err != nil || c.Kind != store.Unchanged {
		t.Errorf("change %+v, %v", c, err)
	}
}

func cwdOf(s *store.Session) (text string) {
	s.ReadTree(func(tree *session.Tree, _ store.Revision) {
		text = fmt.Sprintf("cwd %s %v\n", tree.Header().Cwd, tree.Header().CwdGuessed)
	})
	return text
}
