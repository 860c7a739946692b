// Package realpi opens session files with published versions of pi, so that tests
// can compare what pi sees in a file with what the explorer sees.
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
)

//go:embed open.mjs
var client []byte

// limit is how long a pi may take to open the files of one call: a file that it
// walks in circles in would keep it for ever.
const limit = time.Minute

// Pi is one installed version.
type Pi struct {
	Name string
	node string
	dir  string // of the package
}

// Installed answers the versions that install.sh has put into PI_HOME.
func Installed(t testing.TB) []Pi {
	t.Helper()
	home := os.Getenv("PI_HOME")
	node, err := os.ReadFile(filepath.Join(home, "node-path"))
	if err != nil {
		t.Fatalf("PI_HOME must name what install.sh made (run make e2e-pi): %v", err)
	}
	run := strings.TrimSpace(string(node))
	return []Pi{
		{"pi 1.5", run, filepath.Join(home, "pi", "package")},
		{"pi 0.73", run, filepath.Join(home, "older", "node_modules", "@mariozechner", "pi-coding-agent")},
	}
}

// Package is the directory of the package.
func (p Pi) Package() string { return p.dir }

// View is what a pi sees in a session file. Ids and names that it has none of are
// empty.
type View struct {
	ID       string
	Version  int
	Parent   string
	Leaf     string
	Name     string
	Entries  []string
	Labels   map[string]string
	Tree     Tree
	Messages []Message
	Model    *Model
	Thinking string `json:"thinkingLevel"`

	Refused string // why pi did not open it
	Rewrote bool   // opening it changed it
	Pi      string // the version that looked
	// After is the file as pi left it, having gone on with a prompt and an answer.
	After []byte `json:"-"`
}

// Tree is the entries' ids as a tree.
type Tree struct {
	Roots    []string
	Children map[string][]string
}

// Message is one message of what the model is sent.
type Message struct{ Role, Text string }

// Model is the one that is asked.
type Model struct{ Provider, ModelID string }

// Last is the text of the last message.
func (v *View) Last() string {
	if len(v.Messages) == 0 {
		return ""
	}
	return v.Messages[len(v.Messages)-1].Text
}

// Open has pi open copies of files and go on in them; the files stay as they are.
func (p Pi) Open(t testing.TB, files ...string) []View {
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
	views := p.run(t, work, args)
	for i := range views {
		var err error
		if views[i].After, err = os.ReadFile(args[2+i]); err != nil {
			t.Fatal(err)
		}
	}
	return views
}

func (p Pi) run(t testing.TB, work string, args []string) (views []View) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.node, append([]string{"--input-type=module"}, args...)...)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(client), os.Stderr
	// Away from whatever pi the user has.
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + work, "PI_CODING_AGENT_DIR=" + filepath.Join(work, "agent"), "PI_OFFLINE=1"}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v (%v)\n%s", p.Name, err, ctx.Err(), out)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var v View
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
