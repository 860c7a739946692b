package cli

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/slowtest"
)

func TestMain(m *testing.M) {
	commands := map[string]func(){"explorer": func() { os.Exit(Main()) }}
	maps.Copy(commands, attackers)
	testscript.Main(m, commands)
}

// attackers maps names to programs that tests run as other users.
var attackers = map[string]func(){}

// The commands of these scripts serve, or send to a server.
func TestScript_server(t *testing.T) { runScripts(t, "testdata/server") }

// The commands of these scripts start goroutines to fill a list or to export. Other tests of that run
// with the race detector outside CI too.
func TestScript(t *testing.T) {
	slowtest.SkipIfShortOutsideCI(t)
	runScripts(t, "testdata/script")
}

// The commands of these scripts read or change one small session, nearly all of them in one goroutine.
func TestScript_oneSession(t *testing.T) {
	slowtest.SkipIfShort(t)
	runScripts(t, "testdata/onesession")
}

func runScripts(t *testing.T, dir string) {
	testscript.Run(t, testscript.Params{
		Dir: dir,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("TZ", "UTC")
			env.Setenv("GORACE", "atexit_sleep_ms=0") // otherwise each command of a race test takes a second
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": scriptStatus, "grepall": grepAll, "revokeall": revokeAll},
	})
}

// scriptStatus N CMD... runs a command that must exit with status N and print a one-line
// error if N is not 0.
func scriptStatus(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	if err != nil || neg {
		ts.Fatalf("usage: status N CMD...")
	}
	got := 0
	var exit *exec.ExitError
	switch err := ts.Exec(args[1], args[2:]...); {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
	if text := ts.ReadFile("stderr"); (got == statusFailed || got == statusUsage) && (text == "" || text[len(text)-1] != '\n' || rowtext.OneLine(text)+"\n" != text) {
		ts.Fatalf("want one line on stderr, got %q", text)
	}
}

// grepAll TEXT DIR searches for bytes in every file below a directory.
func grepAll(ts *testscript.TestScript, neg bool, args []string) {
	found, files := "", 0
	err := filepath.WalkDir(ts.MkAbs(args[1]), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		if bytes.Contains(text, []byte(args[0])) {
			found = path
		}
		return err
	})
	ts.Check(err)
	if files == 0 || (found != "") == neg {
		ts.Fatalf("%q in the %d files of %s: %q", args[0], files, args[1], found)
	}
}

// revokeAll STATE revokes every share that the verb shares lists.
func revokeAll(ts *testscript.TestScript, _ bool, args []string) {
	state := ts.MkAbs(args[0])
	ts.Check(ts.Exec("explorer", "--state", state, "shares"))
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		id, _, _ := strings.Cut(line, " ")
		ts.Check(ts.Exec("explorer", "--state", state, "revoke", id))
	}
}
