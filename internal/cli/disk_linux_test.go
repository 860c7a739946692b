package cli

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"sessiontree/internal/syscallfault"
)

// uses runs what people do. The verbs in fails must be refused, because of the state
// directory.
func uses(t *testing.T, state string, fails ...string) {
	t.Helper()
	dir := t.TempDir()
	path, old := filepath.Join(dir, "one.jsonl"), filepath.Join(dir, "old.jsonl")
	first := promptLine("a", "", "hello there")
	for name, text := range map[string]string{
		path: headerLine + first + strings.Replace(promptLine("b", "a", "hello"), `"role":"user"`, `"role":"assistant"`, 1),
		old:  strings.Replace(headerLine, `"version":3,`, "", 1) + strings.Replace(first, `"id":"a","parentId":"",`, "", 1),
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, out := startPrinting(t, "--listen", "127.0.0.1:0", "--state", state, dir)
	go io.Copy(io.Discard, out)
	waitForText(t, s.url, "hello there")
	for _, verb := range [][]string{
		{"label", path, "a", "mark"}, {"rename", path, "name"}, {"label", old, "L2", "mark"}, {"fork", path, "b"}, {"migrate", old},
		{"share", "--share-url", "http://127.0.0.1:1", path}, {"shares"}, {"token"},
	} {
		var printed strings.Builder
		status := runCommandLine(t.Context(), append(verb, "--state", state), &printed, &printed)
		name := verb[0] + " " + filepath.Base(slices.Concat(verb, []string{""})[1])
		if bad := slices.Contains(fails, name); bad != (status != statusDone) || bad && !strings.Contains(printed.String(), "state") {
			t.Errorf("%s: status %d, %q", name, status, &printed)
		}
	}
	for _, page := range []string{"", "healthz"} {
		if status, _ := fetchPage(t, s.url+page); status != http.StatusOK {
			t.Errorf("/%s: status %d", page, status)
		}
	}
	s.stopServer(t)
	if strings.Contains(s.err.String(), "panic") {
		t.Errorf("the log: %s", s.err)
	}
	for _, d := range []string{dir, state} {
		if left, _ := filepath.Glob(filepath.Join(d, ".explorer-*")); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

// Without hard links everything works, whether files can be renamed to a new name or have
// to be copied.
func TestUse_noLinks(t *testing.T) {
	calls := syscallfault.Run(t)
	if calls == nil {
		return
	}
	calls.Never(unix.SYS_LINKAT, unix.EPERM)
	uses(t, t.TempDir())
	calls.Never(unix.SYS_RENAMEAT2, unix.EINVAL)
	uses(t, t.TempDir())
}

// Where nothing can be kept, sessions are shown and changed all the same; what would have to
// be kept is refused, with what to do.
func TestUse_readOnlyState(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	if err := os.Mkdir(state, 0o500); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 { // whom a mode does not bind
		if err := unix.Mount("tmpfs", state, "tmpfs", unix.MS_RDONLY, "mode=0700"); err != nil {
			t.Skip("a mount is refused here: ", err)
		}
		defer func() { _ = unix.Unmount(state, 0) }()
	}
	uses(t, state, "label old.jsonl", "share --share-url", "token .")
}
