// Command demo writes the sample sessions that the explorer serves when there are
// no others. All of them are made up.
//
//go:generate go run . ../../../cmd/explorer/demo
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"sessiontree/internal/bench/transcript"
)

// session is one sample: where it lies under the demo directory, and its bytes.
type session struct {
	path string
	data []byte
}

// day is when the newest samples end. Older ones count back from it.
var day = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: demo DIR")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// write replaces the samples under dir.
func write(dir string) error {
	for _, sub := range []string{"pi", "omp", "claude", "wave"} {
		if err := os.RemoveAll(filepath.Join(dir, sub)); err != nil {
			return err
		}
	}
	for _, s := range samples() {
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

// samples makes every session of the demo.
func samples() []session {
	var all []session
	for _, group := range [][]session{atlas(), ledger(), garden(), dotfiles(), tideTable(), kilnLog()} {
		all = append(all, group...)
	}
	return all
}

// place puts a finished session into a directory.
func place(dir string, start time.Time, f *transcript.File) session {
	return session{path: dir + "/" + f.Name(start), data: f.Bytes()}
}
