package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"sessiontree/e2e/harness"
	"sessiontree/internal/bench/workload"
)

// steadyAppends is how many lines are written while a session is watched.
const steadyAppends = 400

// steady measures whether the last of many appends to a watched session costs what
// the first did, and whether that depends on the session's size.
func (b *bench) steady() {
	small, big := b.copyOf(b.work.Small), b.copyOf(b.work.Big)
	closed := b.copyOf(b.work.Big)
	closed.Leaf = b.closeBranch(closed)
	eightfold := b.chainOf(8 * b.work.Big.Entries)
	for _, c := range []struct {
		name string
		file workload.File
	}{{"0.4 MB", small}, {"106 MB", big}, {"106 MB in a closed branch", closed}, {"8 times the entries in one line", eightfold}} {
		b.steadyOf(c.name, c.file)
	}
}

func (b *bench) steadyOf(name string, f workload.File) {
	s := harness.Start(b, filepath.Dir(f.Path))
	defer s.Stop()
	b.complete(s)
	opened := time.Duration(0)
	_, painted := b.appendTo(s, f, steadyAppends, func() { opened = cpuOf(s.Pid()) })
	cpu := (cpuOf(s.Pid()) - opened) / steadyAppends
	n := steadyAppends / 4
	head, tail := painted[:n], painted[len(painted)-n:]
	b.table.add(result{what: "server CPU per append, watched, " + name, cache: "warm", ours: show(cpu), target: under(3 * time.Millisecond), missed: cpu >= 3*time.Millisecond})
	b.table.add(result{what: "first and last hundred to painted, " + name, cache: "warm",
		ours: fmt.Sprintf("p50 %s and %s, p99 %s and %s", show(head.at(.5)), show(tail.at(.5)), show(head.at(.99)), show(tail.at(.99)))})
	rss, _ := memoryOf(s.Pid(), "VmRSS")
	b.table.add(result{what: "memory after " + strconv.Itoa(steadyAppends) + " appends, " + name, cache: "warm", ours: megabytes(rss)})
}

// copyOf copies a session file into a directory of its own.
func (b *bench) copyOf(f workload.File) workload.File {
	text, err := os.ReadFile(f.Path)
	if err != nil {
		b.Fatalf("%v", err)
	}
	f.Path = filepath.Join(b.TempDir(), filepath.Base(f.Path))
	if err := os.WriteFile(f.Path, text, 0o600); err != nil {
		b.Fatalf("%v", err)
	}
	return f
}

// closeBranch goes back to the start of a session, so that all that was said is a
// branch beside. It returns the new leaf.
func (b *bench) closeBranch(f workload.File) string {
	text, err := os.ReadFile(f.Path)
	if err != nil {
		b.Fatalf("%v", err)
	}
	_, rest, _ := strings.Cut(string(text), "\n")
	_, id, _ := strings.Cut(rest, `"id":"`)
	id, _, _ = strings.Cut(id, `"`)
	b.append(f.Path, chainLine("c1000001", id, 0))
	return "c1000001"
}

// chainOf makes a session of n entries in one line.
func (b *bench) chainOf(n int) workload.File {
	f := workload.File{Path: filepath.Join(b.TempDir(), "chain.jsonl"), Entries: n}
	var text strings.Builder
	text.WriteString(`{"type":"session","version":3,"id":"chain","timestamp":"2026-03-02T11:00:00.000Z","cwd":"/p"}` + "\n")
	for i := range n {
		id := fmt.Sprintf("c0%06x", i)
		text.WriteString(chainLine(id, f.Leaf, i))
		f.Leaf = id
	}
	if err := os.WriteFile(f.Path, []byte(text.String()), 0o600); err != nil {
		b.Fatalf("%v", err)
	}
	return f
}

func chainLine(id, parent string, i int) string {
	above := "null"
	if parent != "" {
		above = strconv.Quote(parent)
	}
	at := time.Date(2026, 3, 2, 11, 0, 0, 0, time.UTC).Add(time.Duration(i) * time.Second)
	return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%s,"timestamp":%q,"message":{"role":"user","content":[{"type":"text","text":"entry %d"}],"timestamp":%d}}`+"\n",
		id, above, at.Format("2006-01-02T15:04:05.000Z"), i, at.UnixMilli())
}
