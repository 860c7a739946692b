// Command trigrams prints the three-letter sequences that are common in Go's standard
// library, for internal/session/redact/rules/trigrams.txt. A text made of them is a word
// or a name, not a random string.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const (
	minPackages = 4 // a word in fewer packages may be data
	minWords    = 2 // a sequence in fewer words is not common
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: trigrams DIR-OF-GO-SOURCES")
		os.Exit(2)
	}
	words, err := collectWords(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	counts := map[string]int{}
	for word, packages := range words {
		for i := 0; len(packages) >= minPackages && i+3 <= len(word); i++ {
			counts[word[i:i+3]]++
		}
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	last := ""
	for _, t := range slices.Sorted(maps.Keys(counts)) {
		if counts[t] < minWords {
			continue
		}
		if t[:2] != last {
			if last != "" {
				fmt.Fprintln(out)
			}
			last = t[:2]
			fmt.Fprintf(out, "%s ", last)
		}
		out.WriteByte(t[2])
	}
	fmt.Fprintln(out)
}

// wordPattern matches the words of names in camel case.
var wordPattern = regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+`)

// collectWords returns the words below dir, each with the directories that use it.
func collectWords(dir string) (map[string]map[string]bool, error) {
	words := map[string]map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.Contains(path, "testdata") || strings.Contains(path, "tables") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, word := range wordPattern.FindAll(text, -1) {
			if len(word) < 3 || len(word) > 16 {
				continue
			}
			w := string(bytes.ToLower(word))
			if words[w] == nil {
				words[w] = map[string]bool{}
			}
			words[w][filepath.Dir(path)] = true
		}
		return err
	})
	return words, err
}
