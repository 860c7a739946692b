// Package workload writes large synthetic pi sessions, the same bytes for the same Spec
// on every machine. The shapes (lengths of texts, tools, branches) follow real
// transcripts.
package workload

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// generatorVersion is part of every manifest. A new version invalidates older output.
const generatorVersion = 1

// Size is the size of a workload.
type Size struct {
	Sessions int // ordinary sessions
	Bytes    int // of each
	Entries  int // of the large session
	Branches int // of the large session
	Chain    int // entries of the chain, which has its own directory
}

// Standard is the workload of the benchmark: 546 MB in 1,001 sessions, and a chain of
// 100,000 entries.
var Standard = Size{Sessions: 1000, Bytes: 433_500, Entries: 50_000, Branches: 500, Chain: 100_000}

// Manifest describes the files of a workload.
type Manifest struct {
	Version int
	Size    Size
	Bytes   int64 // of all sessions of the library
	Library string
	Big     File
	Small   File
	Chain   File
}

// File is one session of the workload.
type File struct {
	Path    string
	Bytes   int64
	Entries int
	Leaf    string
}

// EnsureWorkload returns the workload in dir. It writes the workload if dir does not
// contain it completely.
func EnsureWorkload(dir string, s Size) (Manifest, error) {
	if m, err := loadManifest(dir, s); err == nil {
		return m, nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return Manifest{}, err
	}
	m, err := generateWorkload(dir, s)
	if err != nil {
		return Manifest{}, err
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return Manifest{}, err
	}
	return m, os.WriteFile(filepath.Join(dir, "manifest.json"), text, 0o644)
}

// loadManifest reads the manifest and checks the size of the library.
func loadManifest(dir string, s Size) (Manifest, error) {
	var m Manifest
	text, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, err
	}
	if m.Version != generatorVersion || m.Size != s || !strings.HasPrefix(m.Library, dir) {
		return m, errors.New("another workload")
	}
	n, err := directorySize(m.Library)
	if err == nil && n != m.Bytes {
		err = fmt.Errorf("%s holds %d bytes, want %d", m.Library, n, m.Bytes)
	}
	return m, err
}

func directorySize(dir string) (int64, error) {
	total := int64(0)
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	return total, err
}

func generateWorkload(dir string, s Size) (Manifest, error) {
	m := Manifest{Version: generatorVersion, Size: s, Library: filepath.Join(dir, "sessions")}
	start := time.Date(2026, 6, 1, 8, 0, 0, 0, time.UTC)
	for i := range s.Sessions {
		spec := Spec{Seed: uint64(i + 1), Cwd: fmt.Sprintf("/home/dev/work/project-%02d", i%25), Start: start.Add(time.Duration(i) * 97 * time.Minute), Bytes: s.Bytes, Branches: 1 + i%6}
		f, err := writeSessionFile(m.Library, spec, WriteSession)
		if err != nil {
			return m, err
		}
		m.Bytes += f.Bytes
		m.Small = f
	}
	var err error
	big := Spec{Seed: 1 << 32, Cwd: "/home/dev/work/huge", Start: start.AddDate(0, 1, 0), Entries: s.Entries, Branches: s.Branches}
	if m.Big, err = writeSessionFile(m.Library, big, WriteSession); err != nil {
		return m, err
	}
	m.Bytes += m.Big.Bytes
	chain := Spec{Seed: 1 << 33, Cwd: "/home/dev/work/chain", Start: start, Entries: s.Chain}
	m.Chain, err = writeSessionFile(filepath.Join(dir, "chain"), chain, WriteChain)
	return m, err
}

// writeSessionFile writes one session to pi's path for it, with the time of its last
// entry.
func writeSessionFile(root string, s Spec, write func(io.Writer, Spec) (Written, error)) (File, error) {
	dir := filepath.Join(root, "--"+strings.ReplaceAll(strings.TrimPrefix(s.Cwd, "/"), "/", "-")+"--")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return File{}, err
	}
	name := strings.NewReplacer(":", "-", ".", "-").Replace(formatTimestamp(s.Start))
	path := filepath.Join(dir, fmt.Sprintf("%s_%012x.jsonl", name, s.Seed))
	f, err := os.Create(path)
	if err != nil {
		return File{}, err
	}
	out, err := write(f, s)
	if err := errors.Join(err, f.Close()); err != nil {
		return File{}, fmt.Errorf("write %s: %w", path, err)
	}
	return File{Path: path, Bytes: out.Bytes, Entries: out.Entries, Leaf: out.Leaf}, os.Chtimes(path, out.End, out.End)
}
