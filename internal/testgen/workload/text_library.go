package workload

import (
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"time"
)

const (
	rareWordRank = 200 // the rank of words from which people choose what they search for
	promptWords  = 40
	answerWords  = 160
)

// TextLibrary are sessions that consist of prompts and answers, as much of these as larger
// sessions with tool output have.
type TextLibrary struct {
	Bytes   int64
	Queries []string // two words of a prompt each
}

// WriteTextLibrary writes sessions of pi of the given size below root, half an hour apart. Their
// words are as frequent as those of a language: the second most frequent one is half as frequent as
// the first, and so on.
func WriteTextLibrary(root string, sessions, size, queries int) (lib TextLibrary, err error) {
	r := rand.New(rand.NewPCG(1, 2))
	g := textWriter{r: r, words: newWords(r, 50_000)}
	g.zipf = rand.NewZipf(r, 1.07, 2, uint64(len(g.words)-1))
	start := time.Date(2024, 9, 1, 8, 0, 0, 0, time.UTC)
	for i := range sessions {
		spec := Spec{Seed: uint64(i + 1), Cwd: fmt.Sprintf("/home/dev/work/project-%02d", i%25), Start: start.Add(time.Duration(i) * 30 * time.Minute), Bytes: size}
		f, err := writeSessionFile(filepath.Join(root, "pi"), spec, g.writeSession)
		if err != nil {
			return lib, err
		}
		lib.Bytes += f.Bytes
		if queries > 0 && i%max(1, sessions/queries) == 0 && len(lib.Queries) < queries {
			lib.Queries = append(lib.Queries, g.query)
		}
	}
	return lib, nil
}

// newWords returns n words, each once.
func newWords(r *rand.Rand, n int) []string {
	const consonants, vowels = "bcdfghjklmnprstvwxz", "aeiou"
	words, known := make([]string, 0, n), make(map[string]bool, n)
	for len(words) < n {
		var w strings.Builder
		for range randomBetween(r, 2, 4) {
			w.WriteByte(consonants[r.IntN(len(consonants))])
			w.WriteByte(vowels[r.IntN(len(vowels))])
			if r.IntN(3) == 0 {
				w.WriteByte(consonants[r.IntN(len(consonants))])
			}
		}
		if word := w.String(); !known[word] {
			known[word] = true
			words = append(words, word)
		}
	}
	return words
}

// textWriter writes sessions of prompts and answers.
type textWriter struct {
	r     *rand.Rand
	zipf  *rand.Zipf
	words []string // the most frequent ones first
	query string   // two words of the last prompt
}

// writeSession writes a session of prompts and answers.
func (t *textWriter) writeSession(w io.Writer, s Spec) (Written, error) {
	g := newWriter(w, s)
	g.writeHeader()
	for !g.isDone() {
		g.addEntry("message", fmt.Sprintf(`"message":{"role":"user","content":[{"type":"text","text":%q}],"timestamp":%d}`, t.prompt(), g.now.UnixMilli()))
		g.addEntry("message", fmt.Sprintf(`"message":{"role":"assistant","content":[{"type":"text","text":%q}],"provider":"anthropic","model":"claude-sonnet-4-5","stopReason":"stop","timestamp":%d}`, t.text(t.ranks(answerWords)), g.now.UnixMilli()))
	}
	return g.out, g.w.Flush()
}

// prompt returns a prompt, and sets the query that finds it.
func (t *textWriter) prompt() string {
	ranks := t.ranks(promptWords)
	var rare []string
	for _, rank := range ranks {
		if rank >= rareWordRank && len(rare) < 2 {
			rare = append(rare, t.words[rank])
		}
	}
	t.query = strings.Join(rare, " ")
	return t.text(ranks)
}

// ranks returns the ranks of random words.
func (t *textWriter) ranks(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = int(t.zipf.Uint64())
	}
	return list
}

func (t *textWriter) text(ranks []int) string {
	list := make([]string, len(ranks))
	for i, rank := range ranks {
		list[i] = t.words[rank]
	}
	return strings.Join(list, " ")
}
