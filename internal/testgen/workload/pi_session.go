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
	Entries  int // minimum number of entries
	Bytes    int // minimum size; if set, Entries is ignored
	Branches int // number of branches, spread evenly
}

// Written describes a generated session.
type Written struct {
	ID      string
	Entries int
	Bytes   int64
	Leaf    string
	End     time.Time
}

// WriteSession writes a pi session (version 3) of prompts, answers, tool calls and their
// results, compactions, labels and branch summaries.
func WriteSession(w io.Writer, s Spec) (Written, error) {
	g := newWriter(w, s)
	step := s.Entries / (s.Branches + 1)
	if s.Bytes > 0 {
		step = s.Bytes / 2200 / (s.Branches + 1)
	}
	g.writeHeader()
	g.addEntry("model_change", `"provider":"anthropic","modelId":"claude-opus-4-7"`)
	g.addEntry("thinking_level_change", `"thinkingLevel":"medium"`)
	branches := 0
	for !g.isDone() {
		if g.out.Entries >= (branches+1)*step && branches < s.Branches && len(g.users) > 0 {
			branches++
			g.addBranch(branches)
		}
		g.addTurn()
	}
	return g.out, g.w.Flush()
}

// WriteChain writes a session whose entries form one chain of short prompts and answers.
func WriteChain(w io.Writer, s Spec) (Written, error) {
	g := newWriter(w, s)
	g.writeHeader()
	for !g.isDone() {
		g.addUserMessage(40)
		if !g.isDone() {
			g.addAnswer(80)
		}
	}
	return g.out, g.w.Flush()
}

type sessionWriter struct {
	w      *bufio.Writer
	r      *rand.Rand
	spec   Spec
	now    time.Time
	parent string
	ids    map[string]bool
	users  []string // entries to branch from
	line   []byte
	text   []byte
	out    Written
}

func newWriter(w io.Writer, s Spec) *sessionWriter {
	g := &sessionWriter{w: bufio.NewWriterSize(w, 1<<20), spec: s, now: s.Start, ids: map[string]bool{}}
	g.r = rand.New(rand.NewPCG(s.Seed, 0x9e3779b97f4a7c15))
	g.out.ID = fmt.Sprintf("%08x-%04x-4%03x-a%03x-%012x", g.r.Uint32(), g.r.Uint32()&0xffff, g.r.Uint32()&0xfff, g.r.Uint32()&0xfff, g.r.Uint64()&0xffffffffffff)
	return g
}

func (g *sessionWriter) isDone() bool {
	if g.spec.Bytes > 0 {
		return g.out.Bytes >= int64(g.spec.Bytes)
	}
	return g.out.Entries >= g.spec.Entries
}

func (g *sessionWriter) writeHeader() {
	g.line = fmt.Appendf(g.line[:0], `{"type":"session","version":3,"id":%q,"timestamp":%q,"cwd":%q}`, g.out.ID, formatTimestamp(g.now), g.spec.Cwd)
	g.flushLine()
}

// flushLine writes g.line. Errors stay in the bufio.Writer until Flush.
func (g *sessionWriter) flushLine() {
	g.line = append(g.line, '\n')
	g.out.Bytes += int64(len(g.line))
	_, _ = g.w.Write(g.line)
}

// beginEntry starts the line of an entry as the child of the previous one.
func (g *sessionWriter) beginEntry(kind string) {
	id := fmt.Sprintf("%08x", g.r.Uint32())
	for g.ids[id] {
		id = fmt.Sprintf("%08x", g.r.Uint32())
	}
	g.ids[id] = true
	g.now = g.now.Add(time.Duration(randomBetween(g.r, 100, 3000)) * time.Millisecond)
	parent := "null"
	if g.parent != "" {
		parent = strconv.Quote(g.parent)
	}
	g.line = fmt.Appendf(g.line[:0], `{"type":%q,"id":%q,"parentId":%s,"timestamp":%q,`, kind, id, parent, formatTimestamp(g.now))
	g.parent, g.out.Leaf, g.out.End = id, id, g.now
	g.out.Entries++
}

func (g *sessionWriter) addEntry(kind, fields string) {
	g.beginEntry(kind)
	g.line = append(append(g.line, fields...), '}')
	g.flushLine()
}

// appendString appends the output of fill as a JSON string. The texts are ASCII without
// control characters except tab and newline, which Go and JSON quote alike.
func (g *sessionWriter) appendString(fill func([]byte, *rand.Rand, int) []byte, chars int) {
	g.text = fill(g.text[:0], g.r, chars)
	g.line = strconv.AppendQuote(g.line, string(g.text))
}

func (g *sessionWriter) appendText(s string) { g.line = append(g.line, s...) }

func (g *sessionWriter) appendFormat(format string, args ...any) {
	g.line = fmt.Appendf(g.line, format, args...)
}

func formatTimestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
