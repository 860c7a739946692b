//go:build e2eagents

// Package omp tests with a real oh-my-pi: it writes sessions and opens those that the
// explorer wrote. make e2e-agents installs oh-my-pi and runs it.
package omp

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sessiontree/e2e/agents"
)

// runTimeout is the timeout of oh-my-pi for the files of one call.
const runTimeout = 4 * time.Minute

// view is what oh-my-pi reads from a file.
type view struct {
	agents.View
	Sent []agents.Message // the request for the prompt that continued the file
}

// step is one output line of play.mjs: the state of the session after a step.
type step struct {
	Step, File, Leaf string
	Prompt, Answer   string // the last ones in the file
}

// workdir is the working directory of oh-my-pi.
type workdir struct{ dir string }

// newWorkdir creates a directory with a project.
func newWorkdir(t *testing.T) workdir {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir()) // oh-my-pi opens a session only in its own project
	if err != nil {
		t.Fatal(err)
	}
	w := workdir{dir}
	if err := os.Mkdir(w.project(), 0o755); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w workdir) project() string { return filepath.Join(w.dir, "project") }

// runScript runs one of the scripts and decodes its output lines.
func runScript[T any](t *testing.T, w workdir, script string, args ...string) (lines []T) {
	t.Helper()
	home := os.Getenv("OMP_HOME")
	bun, err := os.ReadFile(filepath.Join(home, "bun-path"))
	if err != nil {
		t.Fatalf("OMP_HOME must name what install.sh made (run make e2e-agents): %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), runTimeout)
	defer cancel()
	args = append([]string{script, filepath.Join(home, "package", "dist", "cli.js"), w.dir}, args...)
	cmd := exec.CommandContext(ctx, strings.TrimSpace(string(bun)), args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v (%v)\n%.2000s", script, err, ctx.Err(), out)
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var line T
		if err := dec.Decode(&line); err != nil {
			t.Fatalf("%s: %v", script, err)
		}
		lines = append(lines, line)
	}
	return lines
}

// playSession lets oh-my-pi write sessions and returns its steps by name.
func playSession(t *testing.T, w workdir) map[string]step {
	t.Helper()
	steps := map[string]step{}
	for _, s := range runScript[step](t, w, "play.mjs") {
		steps[s.Step] = s
	}
	if len(steps) != 22 {
		t.Fatalf("%d steps were played, want 22", len(steps))
	}
	return steps
}

// openFiles lets oh-my-pi open files and continue them.
func openFiles(t *testing.T, w workdir, files ...string) []view {
	t.Helper()
	return checkOpened(t, files, runScript[view](t, w, "open.mjs", files...))
}

// resumeFiles is openFiles with a separate oh-my-pi for each file, as from a command
// line.
func resumeFiles(t *testing.T, w workdir, files ...string) []view {
	t.Helper()
	return checkOpened(t, files, runScript[view](t, w, "open.mjs", append([]string{"--resume"}, files...)...))
}

func checkOpened(t *testing.T, files []string, views []view) []view {
	t.Helper()
	if len(views) != len(files) {
		t.Fatalf("oh-my-pi reported %d files, want %d", len(views), len(files))
	}
	for i := range views {
		var err error
		if views[i].After, err = os.ReadFile(files[i]); err != nil {
			t.Fatal(err)
		}
	}
	return views
}
