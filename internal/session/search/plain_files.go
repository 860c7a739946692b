package search

import (
	"io/fs"
	"sync"

	"sessiontree/internal/session/scan"
)

// PlainFiles remembers which files contain no \u escapes of letters. In these a word that is
// not found as bytes is not there, and looking for escapes is most of the cost of a search.
// Its zero value is empty.
type PlainFiles struct {
	mu     sync.Mutex
	states map[string]scan.FileStamp // by path, as of when the file was read
}

// has reports whether a file is known to have none and has not changed since.
func (p *PlainFiles) has(path string, info fs.FileInfo) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	known, ok := p.states[path]
	return ok && known.Matches(info)
}

// add remembers a file. info is from before it was read.
func (p *PlainFiles) add(path string, info fs.FileInfo) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.states == nil {
		p.states = map[string]scan.FileStamp{}
	}
	p.states[path] = scan.NewFileStamp(info)
}
