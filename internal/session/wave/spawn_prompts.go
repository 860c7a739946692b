package wave

import (
	"bytes"
	"io"
	"io/fs"
	"slices"

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
	endHash uint64 // hash of the edgeSize bytes before end
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
// reads the whole file. The bytes that tell one from the other are read together with those from
// which the prompts are taken, because Wave may rewrite the file between two reads.
func (p *promptList) readPrompts(f fs.File) *promptList {
	file, ok := f.(io.ReaderAt)
	if !ok { // it has just been deleted
		return &promptList{}
	}
	var next promptList
	if p != nil {
		next = *p
		next.all = slices.Clip(next.all)
	}
	from := max(0, next.end-edgeSize)
	edge := int(next.end - from)
	text, err := io.ReadAll(io.NewSectionReader(file, from, maxPromptScan-from))
	if err == nil && edge > 0 && (len(text) < edge || session.HashParts(text[:edge]) != next.endHash) {
		next, from, edge = promptList{}, 0, 0
		text, err = io.ReadAll(io.NewSectionReader(file, 0, maxPromptScan))
	}
	if err != nil {
		return &next
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	for found := range jsonl.Lines(text[edge:]) {
		r, err := scanLine(found.Data, "")
		if x, ok := r.Extra.(*facts); err == nil && ok {
			for _, k := range x.spawnRequests {
				next.all = append(next.all, rowtext.OneLine(k.prompt))
			}
		}
	}
	next.end = from + int64(len(text))
	next.endHash = session.HashParts(text[max(0, len(text)-edgeSize):])
	return &next
}

// edgeSize is how many bytes before the end of what was read tell whether the file was rewritten.
const edgeSize = 4 << 10
