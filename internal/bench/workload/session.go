package workload

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"time"
)

// Spec describes one synthetic session.
type Spec struct {
	Seed     uint64
	Cwd      string
	Start    time.Time
	Entries  int // ends after so many entries
	Bytes    int // and not before so many bytes; then Entries is ignored
	Branches int // times the conversation goes back to an older prompt, spread evenly
}

// Written tells what a generated session holds.
type Written struct {
	ID      string
	Entries int
	Bytes   int64
	Leaf    string
	End     time.Time
}

// Write writes a pi session (version 3) of prompts, answers, tool calls and
// their results, compactions, labels and branch summaries.
func Write(w io.Writer, s Spec) (Written, error) {
	g := newWriter(w, s)
	step := s.Entries / (s.Branches + 1)
	if s.Bytes > 0 {
		step = s.Bytes / 2200 / (s.Branches + 1)
	}
	g.header()
	g.entry("model_change", `"provider":"anthropic","modelId":"claude-opus-4-7"`)
	g.entry("thinking_level_change", `"thinkingLevel":"medium"`)
	branches := 0
	for !g.done() {
		if g.out.Entries >= (branches+1)*step && branches < s.Branches && len(g.users) > 0 {
			branches++
			g.branch(branches)
		}
		g.turn()
	}
	return g.out, g.w.Flush()
}

// Chain writes a session of n entries that hang in one chain: short prompts and
// answers in turn.
func Chain(w io.Writer, s Spec) (Written, error) {
	g := newWriter(w, s)
	g.header()
	for !g.done() {
		g.user(40)
		if !g.done() {
			g.answer(80)
		}
	}
	return g.out, g.w.Flush()
}

type writer struct {
	w      *bufio.Writer
	r      *rand.Rand
	spec   Spec
	now    time.Time
	parent string
	ids    map[string]bool
	users  []string // positions a branch can go back to
	line   []byte
	text   []byte
	out    Written
}

func newWriter(w io.Writer, s Spec) *writer {
	g := &writer{w: bufio.NewWriterSize(w, 1<<20), spec: s, now: s.Start, ids: map[string]bool{}}
	g.r = rand.New(rand.NewPCG(s.Seed, 0x9e3779b97f4a7c15))
	g.out.ID = fmt.Sprintf("%08x-%04x-4%03x-a%03x-%012x", g.r.Uint32(), g.r.Uint32()&0xffff, g.r.Uint32()&0xfff, g.r.Uint32()&0xfff, g.r.Uint64()&0xffffffffffff)
	return g
}

func (g *writer) done() bool {
	if g.spec.Bytes > 0 {
		return g.out.Bytes >= int64(g.spec.Bytes)
	}
	return g.out.Entries >= g.spec.Entries
}

func (g *writer) header() {
	g.line = fmt.Appendf(g.line[:0], `{"type":"session","version":3,"id":%q,"timestamp":%q,"cwd":%q}`, g.out.ID, stamp(g.now), g.spec.Cwd)
	g.flush()
}

// flush writes g.line. Errors stay in the bufio.Writer until Flush.
func (g *writer) flush() {
	g.line = append(g.line, '\n')
	g.out.Bytes += int64(len(g.line))
	_, _ = g.w.Write(g.line)
}

// begin starts the line of an entry that hangs on the one before it.
func (g *writer) begin(kind string) {
	id := fmt.Sprintf("%08x", g.r.Uint32())
	for g.ids[id] {
		id = fmt.Sprintf("%08x", g.r.Uint32())
	}
	g.ids[id] = true
	g.now = g.now.Add(time.Duration(between(g.r, 100, 3000)) * time.Millisecond)
	parent := "null"
	if g.parent != "" {
		parent = strconv.Quote(g.parent)
	}
	g.line = fmt.Appendf(g.line[:0], `{"type":%q,"id":%q,"parentId":%s,"timestamp":%q,`, kind, id, parent, stamp(g.now))
	g.parent, g.out.Leaf, g.out.End = id, id, g.now
	g.out.Entries++
}

func (g *writer) entry(kind, fields string) {
	g.begin(kind)
	g.line = append(append(g.line, fields...), '}')
	g.flush()
}

// string appends what fill writes as a JSON string. The texts are ASCII without
// control characters but tab and newline, which Go and JSON quote alike.
func (g *writer) string(fill func([]byte, *rand.Rand, int) []byte, chars int) {
	g.text = fill(g.text[:0], g.r, chars)
	g.line = strconv.AppendQuote(g.line, string(g.text))
}

func (g *writer) add(s string) { g.line = append(g.line, s...) }

func (g *writer) addf(format string, args ...any) { g.line = fmt.Appendf(g.line, format, args...) }

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
