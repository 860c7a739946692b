package workload

import (
	"math/rand/v2"
	"strings"
)

// vocabulary contains every word of the synthetic text. Prose and code use the same
// words, so that a search finds both.
var vocabulary = strings.Fields(`server client handler session branch merge parser token stream buffer index query cache worker
deadlock retry timeout schema migration commit rebase refactor function struct interface channel mutex
goroutine context cancel websocket router template render layout sidebar tree node leaf parent child
label export share filter search regex unicode locale config flag option default value error warning
panic recover test fixture golden fuzz coverage benchmark latency throughput memory allocation profile
the a of to and in is that it for on with as this we need should then because when after before file
line path directory read write open close append truncate rename watch event notify debounce flush sync
database table row column key value map slice array string integer boolean json yaml toml markdown html
css grid flex button modal dialog tooltip keyboard shortcut focus scroll viewport virtual list item`)

// capitalized is vocabulary with capital first letters.
var capitalized = func() []string {
	out := make([]string, len(vocabulary))
	for i, w := range vocabulary {
		out[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return out
}()

var codeStarts = []string{
	"func %s(%s int) error {", "if %s != nil && %s > 0 {", "%s := make(map[string]int) // %s",
	"return %s, fmt.Errorf(\"%s: %%w\", err)", "// %s %s", "%s.%s(ctx)",
}

var (
	packageNames = []string{"server", "store", "view", "tree", "sync", "api"}
	fileNames    = []string{"main", "node", "leaf", "index", "watch", "export", "label", "render", "route", "types"}
	toolNames    = []string{"bash", "read", "edit", "grep"}
)

func pickOne[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// randomBetween returns a number from low to high, both included.
func randomBetween(r *rand.Rand, low, high int) int { return low + r.IntN(high-low+1) }

func randomWord(r *rand.Rand) string { return pickOne(r, vocabulary) }

// appendProse appends sentences of about chars characters, five per paragraph.
func appendProse(b []byte, r *rand.Rand, chars int) []byte {
	left := max(3, chars/6)
	for sentence := 1; left > 0; sentence++ {
		n := min(left, randomBetween(r, 6, 16))
		left -= n
		b = append(b, pickOne(r, capitalized)...)
		for range n - 1 {
			b = append(append(b, ' '), randomWord(r)...)
		}
		b = append(b, '.')
		switch {
		case left == 0:
		case sentence%5 == 0:
			b = append(b, "\n\n"...)
		default:
			b = append(b, ' ')
		}
	}
	return b
}

// appendCode appends indented lines of about chars characters in total.
func appendCode(b []byte, r *rand.Rand, chars int) []byte {
	for end := len(b) + chars; len(b) < end; {
		for range r.IntN(4) {
			b = append(b, '\t')
		}
		first, rest, _ := strings.Cut(pickOne(r, codeStarts), "%s")
		middle, last, _ := strings.Cut(rest, "%s")
		b = append(append(b, first...), randomWord(r)...)
		b = append(append(b, middle...), randomWord(r)...)
		b = append(b, strings.ReplaceAll(last, "%%", "%")...)
		for range r.IntN(8) {
			b = append(append(b, randomWord(r)...), ' ')
		}
		b = append(b, '\n')
	}
	return b
}

// randomResultSize returns a random length of a tool's output, with a long tail around
// 3,100.
func randomResultSize(r *rand.Rand) int {
	n := 0
	switch x := r.Float64(); {
	case x < .55:
		n = randomBetween(r, 30, 400)
	case x < .85:
		n = randomBetween(r, 400, 2500)
	case x < .985:
		n = randomBetween(r, 2500, 9000)
	default:
		n = randomBetween(r, 9000, 30000)
	}
	return n * 193 / 100
}
