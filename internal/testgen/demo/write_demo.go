// Command demo writes the sample sessions that the explorer serves when there are
// no others. All of them are made up.
//
//go:generate go run . ../../../internal/cli/serve/demo
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"sessiontree/internal/testgen/transcript"
)

// sampleSession is one sample, or a file of a project: its path under the demo directory, and its content.
type sampleSession struct {
	path string
	data []byte
}

// newestDay is the end of the newest samples. Older ones are relative to it.
var newestDay = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: demo DIR")
		os.Exit(2)
	}
	if err := writeSamples(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// writeSamples replaces the samples under dir.
func writeSamples(dir string) error {
	for _, sub := range []string{"pi", "omp", "claude", "wave", "_project"} {
		if err := os.RemoveAll(filepath.Join(dir, sub)); err != nil {
			return err
		}
	}
	for _, s := range allSamples() {
		path := filepath.Join(dir, filepath.FromSlash(s.path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, s.data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// allSamples returns all sessions of the demo.
func allSamples() []sampleSession {
	var all []sampleSession
	for _, group := range [][]sampleSession{projectFiles(), atlasSessions(), ledgerSessions(), gardenSessions(), dotfilesSessions(), tidesSessions(), kilnSessions()} {
		all = append(all, group...)
	}
	return all
}

// projectFiles returns the files of a project as its sessions left them. The explorer shows who wrote
// their lines.
func projectFiles() []sampleSession {
	return []sampleSession{
		{"_project/tides/tide.py", []byte("# Heights of the tide.\nfrom math import cos, radians\n\ndef node(t):\n    \"\"\"Longitude of the Moon's ascending node at t, in radians.\"\"\"\n    return radians(125.04 - 0.05295 * days(t))\n\ndef height(t):\n    n = node(t)\n    return mean + sum(f(n) * a * cos(w * t - p + u(n)) for a, w, p, f, u in parts)\n")},
		{"_project/atlas/internal/tile/disk.go", []byte(diskSource)},
	}
}

// newSample returns a finished session with its path in a directory.
func newSample(dir string, start time.Time, f *transcript.File) sampleSession {
	return sampleSession{path: dir + "/" + f.FileName(start), data: f.Bytes()}
}
