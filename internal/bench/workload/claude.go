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

// ClaudeLibrary writes sessions of Claude Code of so many lines each into the
// directories of 25 projects below root, and answers their paths and bytes.
func ClaudeLibrary(root string, sessions, lines int) (paths []string, bytes int64, err error) {
	start := time.Date(2026, 6, 1, 8, 0, 0, 0, time.UTC)
	for i := range sessions {
		spec := Spec{Seed: uint64(i + 1), Cwd: fmt.Sprintf("/home/dev/work/proj-%02d", i%25), Start: start.Add(time.Duration(i) * 97 * time.Minute), Entries: lines}
		path, out, err := claudeFile(root, spec)
		if err != nil {
			return nil, 0, err
		}
		paths, bytes = append(paths, path), bytes+out.Bytes
	}
	return paths, bytes, nil
}

// claudeFile writes one session where Claude Code would and dates it by its last
// line.
func claudeFile(root string, s Spec) (path string, out Written, err error) {
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
	out, err = Claude(f, s)
	if err := errors.Join(err, f.Close()); err != nil {
		return "", out, fmt.Errorf("write %s: %w", path, err)
	}
	return path, out, os.Chtimes(path, out.End, out.End)
}

// Claude writes a session as Claude Code does: each block of an answer is a line of
// its own, and now and then a prompt goes back to an older one.
func Claude(w io.Writer, s Spec) (Written, error) {
	g := &claudeWriter{writer: newWriter(w, s)}
	for !g.done() {
		if len(g.users) > 0 && g.r.Float64() < .02 {
			g.parent = pick(g.r, g.users)
		}
		if g.parent != "" {
			g.users = append(g.users, g.parent)
		}
		g.typed(pick(g.r, []int{40, 120, 300, 900}))
		for range between(g.r, 3, 14) {
			if g.done() {
				break
			}
			g.call()
		}
	}
	return g.out, g.w.Flush()
}

type claudeWriter struct {
	*writer
	calls int
}

// open starts a line that hangs on the one before it.
func (g *claudeWriter) open(role string) {
	parent := "null"
	if g.parent != "" {
		parent = fmt.Sprintf("%q", g.parent)
	}
	g.line = fmt.Appendf(g.line[:0], `{"parentUuid":%s,"isSidechain":false,"type":%q,"message":{"role":%q,"content":`, parent, role, role)
}

// close ends a line with what all lines have.
func (g *claudeWriter) close(more string) {
	id := fmt.Sprintf("%08x-%04x-4%03x-a%03x-%012x", g.r.Uint32(), g.r.Uint32()&0xffff, g.r.Uint32()&0xfff, g.r.Uint32()&0xfff, g.r.Uint64()&0xffffffffffff)
	g.now = g.now.Add(time.Duration(between(g.r, 300, 20000)) * time.Millisecond)
	g.addf(`%s,"uuid":%q,"timestamp":%q,"userType":"external","entrypoint":"cli","cwd":%q,"sessionId":%q,"version":"2.1.120","gitBranch":"main"}`,
		more, id, stamp(g.now), g.spec.Cwd, g.out.ID)
	g.parent, g.out.Leaf, g.out.End = id, id, g.now
	g.out.Entries++
	g.flush()
}

func (g *claudeWriter) typed(chars int) {
	g.open("user")
	g.string(prose, chars)
	g.close("}")
}

// block writes one block of an answer; fill writes what stands in it.
func (g *claudeWriter) block(fill func()) {
	g.open("assistant")
	g.add("[{")
	fill()
	g.addf(`}],"id":"msg_%d","model":"claude-opus-4-7","usage":{"input_tokens":%d,"cache_read_input_tokens":%d,"output_tokens":%d},"stop_reason":"tool_use"},"requestId":"req_%d"`,
		g.calls, between(g.r, 3, 900), between(g.r, 9000, 150000), between(g.r, 20, 2500), g.calls)
	g.close("")
}

// call is an answer that calls a tool, and the result.
func (g *claudeWriter) call() {
	g.calls++
	id := fmt.Sprintf("toolu_01%022x", g.r.Uint64())
	if g.r.Float64() < .18 {
		g.block(func() {
			g.add(`"type":"thinking","thinking":`)
			g.string(prose, between(g.r, 200, 1200))
			g.addf(`,"signature":"E%0600x"`, g.r.Uint64())
		})
	}
	if g.r.Float64() < .4 {
		g.block(func() {
			g.add(`"type":"text","text":`)
			g.string(prose, pick(g.r, []int{80, 200, 500, 1500}))
		})
	}
	tool := pick(g.r, []string{"Bash", "Read", "Edit"})
	g.block(func() {
		g.addf(`"type":"tool_use","id":%q,"name":%q,"input":`, id, tool)
		g.arguments(strings.ToLower(tool))
	})
	from := g.parent
	g.open("user")
	g.addf(`[{"type":"tool_result","tool_use_id":%q,"is_error":%t,"content":`, id, g.r.Float64() < .04)
	g.string(code, resultSize(g.r))
	g.add(`}]},"toolUseResult":{"stdout":`)
	g.line = fmt.Appendf(g.line, "%q", g.text)
	g.close(fmt.Sprintf(`,"interrupted":false},"sourceToolAssistantUUID":%q`, from))
}
