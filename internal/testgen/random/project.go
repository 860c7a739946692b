// Package random writes sessions like those of agents that are used in every way at once.
// Sessions are rewound, forked, resumed and compacted, start agents, and have copies,
// orphans, malformed lines and clocks that run backward. A seed always gives the same
// files.
package random

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"sessiontree/internal/sampletest"
)

// Line is one write to a file.
type Line struct {
	File string // path within the project, with slashes
	Text string // with its line end
	// Rewrite reports that Text replaces the file, as agents do that retract lines or
	// have a title at the start.
	Rewrite bool
}

// Project is a sequence of writes.
type Project struct {
	Lines       []Line
	Sessions    []string          // paths of session files, without agents
	SharesFiles bool              // sessions continue in one another's files
	SideFiles   map[string]string // files that are written once, together with the first line of their transcript
	// Tidy reports that the times of all lines are increasing, and that nothing is
	// recorded that an agent would not record.
	Tidy bool
}

// Length is the length of a project whose length is not random.
type Length struct{ Steps, Sessions int }

// Formats are the formats that Long supports.
var Formats = []string{"pi", "omp", "claude", "wave"}

// Long returns a project of the given format and length.
func Long(format string, seed uint64, length Length) *Project {
	r := newRecorder(seed)
	r.length = length
	switch format {
	case "pi":
		return recordPi(r)
	case "omp":
		return recordOMP(r)
	case "claude":
		return recordClaude(r)
	case "wave":
		return recordWave(r)
	}
	panic("no format " + format)
}

// Files returns the final content of the files, by path.
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

// Seeds returns the seeds for a test: 0 to n-1 in CI, else and with -short the first tenth of them. The
// environment variable PROJECTS sets another n, and SEED a single seed.
func Seeds(n int) (all []uint64) {
	if seed, err := strconv.ParseUint(os.Getenv("SEED"), 10, 64); err == nil {
		return []uint64{seed}
	}
	if many, err := strconv.Atoi(os.Getenv("PROJECTS")); err == nil && many > 1 {
		n = many
	} else if testing.Short() || !sampletest.InCI() {
		n = (n + 9) / 10
	}
	for i := range n {
		all = append(all, uint64(i))
	}
	return all
}

// randomSource makes random choices.
type randomSource struct{ *rand.Rand }

func newRandomSource(seed uint64) randomSource { return randomSource{rand.New(rand.NewPCG(seed, 1))} }

// oneIn returns true with a probability of 1/n.
func (d randomSource) oneIn(n int) bool { return d.IntN(n) == 0 }

// pickRandom returns a random element.
func pickRandom[T any](d randomSource, some []T) T { return some[d.IntN(len(some))] }

// newUUID returns a random UUID of version 4.
func (d randomSource) newUUID() string {
	a, b := d.Uint64(), d.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", a>>32, a>>16&0xffff, a&0xfff, b>>52, b&0xffffffffffff)
}
