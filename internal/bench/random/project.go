// Package random writes sessions as coding agents would that are used in every way at
// once: sessions are rewound, forked, resumed and compacted, start agents, and are
// recorded with copies, orphans, bad lines and clocks that run back. A seed gives the
// same files each time.
package random

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
)

// Line is one write to a file.
type Line struct {
	File string // by name in the project, with slashes
	Text string // with its end
	// Rewrite: Text replaces the file, as agents do that take lines back or keep a
	// title at the start.
	Rewrite bool
}

// Project is what agents write, in the order in which they do.
type Project struct {
	Lines       []Line
	Sessions    []string          // files that are sessions, not agents, by name
	SharesFiles bool              // sessions continue in one another's files
	SideFiles   map[string]string // files that are written whole, with the first line of the transcript beside them
	// Tidy: every line has a time of its own that is later than that of the line
	// before it, and nothing is recorded that the agent would not record.
	Tidy bool
}

// Files returns the files as they are in the end, by name.
func (p *Project) Files() map[string]string {
	files := map[string]string{}
	for _, l := range p.Lines {
		if l.Rewrite {
			files[l.File] = ""
		}
		files[l.File] += l.Text
	}
	for name, text := range p.SideFiles {
		files[name] = text
	}
	return files
}

// Seeds returns the seeds that a test tries: 0 to n-1. The environment variable SOAK
// says how many instead, SEED names one.
func Seeds(n int) (all []uint64) {
	if seed, err := strconv.ParseUint(os.Getenv("SEED"), 10, 64); err == nil {
		return []uint64{seed}
	}
	if many, err := strconv.Atoi(os.Getenv("SOAK")); err == nil && many > 1 {
		n = many
	}
	for i := range n {
		all = append(all, uint64(i))
	}
	return all
}

// randomSource makes choices.
type randomSource struct{ *rand.Rand }

func newRandomSource(seed uint64) randomSource { return randomSource{rand.New(rand.NewPCG(seed, 1))} }

// oneIn reports true once in n times.
func (d randomSource) oneIn(n int) bool { return d.IntN(n) == 0 }

// pickRandom chooses one of some.
func pickRandom[T any](d randomSource, some []T) T { return some[d.IntN(len(some))] }

// newUUID makes an id that looks random and sorts by nothing.
func (d randomSource) newUUID() string {
	a, b := d.Uint64(), d.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", a>>32, a>>16&0xffff, a&0xfff, b>>52, b&0xffffffffffff)
}
