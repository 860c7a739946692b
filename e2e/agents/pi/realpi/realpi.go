// Package realpi opens session files with published versions of pi. Tests use it to
// compare what pi and the explorer read from a file.
package realpi

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sessiontree/e2e/agents"
)

//go:embed open.mjs
var openScript []byte

// openTimeout is the timeout of a pi for the files of one call, because pi may loop
// forever on a cycle.
const openTimeout = time.Minute

// Pi is one installed version.
type Pi struct {
	Name string
	node string
	dir  string // of the package
}

// InstalledVersions returns the versions that install.sh has installed in PI_HOME.
func InstalledVersions(t testing.TB) []Pi {
	t.Helper()
	home := os.Getenv("PI_HOME")
	node, err := os.ReadFile(filepath.Join(home, "node-path"))
	if err != nil {
		t.Fatalf("PI_HOME must name what install.sh made (run make e2e-agents): %v", err)
	}
	run := strings.TrimSpace(string(node))
	return []Pi{
		{"pi 1.5", run, filepath.Join(home, "pi", "package")},
		{"pi 0.73", run, filepath.Join(home, "older", "node_modules", "@mariozechner", "pi-coding-agent")},
	}
}

// PackageDir returns the directory of the package.
func (p Pi) PackageDir() string { return p.dir }

// OpenFiles lets pi open copies of files and continue them. The files themselves stay
// unchanged.
func (p Pi) OpenFiles(t testing.TB, files ...string) []agents.View {
	t.Helper()
	work := t.TempDir()
	args := []string{"-", p.dir}
	for i, file := range files {
		copied := filepath.Join(work, fmt.Sprint(i), filepath.Base(file))
		data, err := os.ReadFile(file)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(copied), 0o755)
		}
		if err == nil {
			err = os.WriteFile(copied, data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, copied)
	}
	views := p.runPi(t, work, args)
	for i := range views {
		var err error
		if views[i].After, err = os.ReadFile(args[2+i]); err != nil {
			t.Fatal(err)
		}
	}
	return views
}

func (p Pi) runPi(t testing.TB, work string, args []string) (views []agents.View) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), openTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.node, append([]string{"--input-type=module"}, args...)...)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(openScript), os.Stderr
	// Separate from a pi that the user has installed.
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + work, "PI_CODING_AGENT_DIR=" + filepath.Join(work, "agent"), "PI_OFFLINE=1"}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v (%v)\n%s", p.Name, err, ctx.Err(), out)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var v agents.View
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		views = append(views, v)
	}
	if want := len(args) - 2; len(views) != want {
		t.Fatalf("%s told of %d files, want %d", p.Name, len(views), want)
	}
	return views
}
