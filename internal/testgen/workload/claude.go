package workload

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// WriteClaudeLibrary writes sessions of Claude Code with the given number of lines into
// the directories of 25 projects below root. It returns their paths and total size.
func WriteClaudeLibrary(root string, sessions, lines int) (paths []string, bytes int64, err error) {
	start := time.Date(2026, 6, 1, 8, 0, 0, 0, time.UTC)
	for i := range sessions {
		spec := Spec{Seed: uint64(i + 1), Cwd: fmt.Sprintf("/home/dev/work/proj-%02d", i%25), Start: start.Add(time.Duration(i) * 97 * time.Minute), Entries: lines}
		path, out, err := writeClaudeFile(root, spec)
		if err != nil {
			return nil, 0, err
		}
		paths, bytes = append(paths, path), bytes+out.Bytes
	}
	return paths, bytes, nil
}

// writeClaudeFile writes one session to Claude Code's path for it, with the time of its
// last line.
func writeClaudeFile(root string, s Spec) (path string, out Written, err error) {
	dir := filepath.Join(root, strings.ReplaceAll(s.Cwd, "/", "-"))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", out, err
	}
	g := newWriter(io.Discard, s)
	path = filepath.Join(dir, g.out.ID+".jsonl")
	f, err := os.Create(path)
	if err != nil {
		return "", out, err
	}
	out, err = WriteClaudeSession(f, s)
	if err := errors.Join(err, f.Close()); err != nil {
		return "", out, fmt.Errorf("write %s: %w", path, err)
	}
	return path, out, os.Chtimes(path, out.End, out.End)
}

// WriteClaudeSession writes a session of Claude Code: each block of an answer is a line, and
// some prompts branch from older entries.
func WriteClaudeSession(w io.Writer, s Spec) (Written, error) {
	g := &claudeWriter{sessionWriter: newWriter(w, s)}
	for !g.isDone() {
		if len(g.users) > 0 && g.r.Float64() < .02 {
			g.parent = pickOne(g.r, g.users)
		}
		if g.parent != "" {
			g.users = append(g.users, g.parent)
		}
		g.addPrompt(pickOne(g.r, []int{40, 120, 300, 900}))
		for range randomBetween(g.r, 3, 14) {
			if g.isDone() {
				break
			}
			g.addToolCall()
		}
	}
	return g.out, g.w.Flush()
}

type claudeWriter struct {
	*sessionWriter
	calls int
}

// beginLine starts a line as the child of the previous one.
func (g *claudeWriter) beginLine(role string) {
	parent := "null"
	if g.parent != "" {
		parent = fmt.Sprintf("%q", g.parent)
	}
	g.line = fmt.Appendf(g.line[:0], `{"parentUuid":%s,"isSidechain":false,"type":%q,"message":{"role":%q,"content":`, parent, role, role)
}

// endLine ends a line with the common fields.
func (g *claudeWriter) endLine(more string) {
	id := fmt.Sprintf("%08x-%04x-4%03x-a%03x-%012x", g.r.Uint32(), g.r.Uint32()&0xffff, g.r.Uint32()&0xfff, g.r.Uint32()&0xfff, g.r.Uint64()&0xffffffffffff)
	g.now = g.now.Add(time.Duration(randomBetween(g.r, 300, 20000)) * time.Millisecond)
	g.appendFormat(`%s,"uuid":%q,"timestamp":%q,"userType":"external","entrypoint":"cli","cwd":%q,"sessionId":%q,"version":"2.1.120","gitBranch":"main"}`,
		more, id, formatTimestamp(g.now), g.spec.Cwd, g.out.ID)
	g.parent, g.out.Leaf, g.out.End = id, id, g.now
	g.out.Entries++
	g.flushLine()
}

func (g *claudeWriter) addPrompt(chars int) {
	g.beginLine("user")
	g.appendString(appendProse, chars)
	g.endLine("}")
}

// addBlock writes one block of an answer. fill writes its content.
func (g *claudeWriter) addBlock(fill func()) {
	g.beginLine("assistant")
	g.appendText("[{")
	fill()
	g.appendFormat(`}],"id":"msg_%d_%d","model":"claude-opus-4-7","usage":{"input_tokens":%d,"cache_read_input_tokens":%d,"output_tokens":%d},"stop_reason":"tool_use"},"requestId":"req_%d_%d"`,
		g.spec.Seed, g.calls, randomBetween(g.r, 3, 900), randomBetween(g.r, 9000, 150000), randomBetween(g.r, 20, 2500), g.spec.Seed, g.calls)
	g.endLine("")
}

// addToolCall adds an answer with a tool call, and the result.
func (g *claudeWriter) addToolCall() {
	g.calls++
	id := fmt.Sprintf("toolu_01%022x", g.r.Uint64())
	if g.r.Float64() < .18 {
		g.addBlock(func() {
			g.appendText(`"type":"thinking","thinking":`)
			g.appendString(appendProse, randomBetween(g.r, 200, 1200))
			g.appendFormat(`,"signature":"E%0600x"`, g.r.Uint64())
		})
	}
	if g.r.Float64() < .4 {
		g.addBlock(func() {
			g.appendText(`"type":"text","text":`)
			g.appendString(appendProse, pickOne(g.r, []int{80, 200, 500, 1500}))
		})
	}
	tool := pickOne(g.r, []string{"Bash", "Read", "Edit"})
	g.addBlock(func() {
		g.appendFormat(`"type":"tool_use","id":%q,"name":%q,"input":`, id, tool)
		g.appendArguments(strings.ToLower(tool))
	})
	from := g.parent
	g.beginLine("user")
	g.appendFormat(`[{"type":"tool_result","tool_use_id":%q,"is_error":%t,"content":`, id, g.r.Float64() < .04)
	g.appendString(appendCode, randomResultSize(g.r))
	g.appendText(`}]},"toolUseResult":{"stdout":`)
	g.line = fmt.Appendf(g.line, "%q", g.text)
	g.endLine(fmt.Sprintf(`,"interrupted":false},"sourceToolAssistantUUID":%q`, from))
}
