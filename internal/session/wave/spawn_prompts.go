package wave

import (
	"bytes"
	"hash/fnv"
	"io"
	"io/fs"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
	"sessiontree/internal/session/rowtext"
)

// maxPromptScan is the number of bytes of a session's file that are searched for calls.
const maxPromptScan = 64 << 20

// promptList holds the prompts with which a session started agents, each on one line, and how far
// the file was read.
type promptList struct {
	all     []string
	end     int64  // after the last whole line
	endHash uint64 // hash of the bytes before end
}

// spawnPrompts lists the prompts with which a session started agents.
func (g *sessionFileGatherer) spawnPrompts(name string) []string {
	all, ok := g.prompts[name]
	if !ok {
		all = g.readSpawnPrompts(name)
		g.prompts[name] = all
	}
	return all
}

func (g *sessionFileGatherer) readSpawnPrompts(name string) []string {
	return session.ReadCached(g.dir, name, "prompts", func(f fs.File, old any) any {
		p, _ := old.(*promptList)
		return p.readPrompts(f)
	}).(*promptList).all
}

// readPrompts returns p extended by what was appended to the file. If the file was rewritten, it
// reads the whole file.
func (p *promptList) readPrompts(f fs.File) *promptList {
	file, ok := f.(io.ReaderAt)
	if !ok { // it has just been deleted
		return &promptList{}
	}
	next := promptList{endHash: hashBefore(file, 0)}
	if p != nil && hashBefore(file, p.end) == p.endHash {
		next = *p
		next.all = next.all[:len(next.all):len(next.all)]
	}
	text, err := io.ReadAll(io.NewSectionReader(file, next.end, maxPromptScan-next.end))
	if err != nil {
		return &next
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	for found := range jsonl.Lines(text) {
		r, err := scanLine(found.Data, "")
		if x, ok := r.Extra.(*facts); err == nil && ok {
			for _, k := range x.spawnRequests {
				next.all = append(next.all, rowtext.OneLine(k.prompt))
			}
		}
	}
	next.end += int64(len(text))
	next.endHash = hashBefore(file, next.end)
	return &next
}

// hashBefore returns a hash of the bytes before end, which tells an appended file from a rewritten
// one.
func hashBefore(f io.ReaderAt, end int64) uint64 {
	const size = 4 << 10
	edge := make([]byte, min(end, size))
	n, err := f.ReadAt(edge, end-int64(len(edge)))
	if n < len(edge) && err != nil {
		return 0
	}
	h := fnv.New64a()
	h.Write(edge)
	return h.Sum64()
}
