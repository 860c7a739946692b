package search

import (
	"bytes"
	"testing"

	"sessiontree/internal/testgen/workload"
)

// BenchmarkPattern searches a session for words that it does not have, most of whose letters
// are rare or frequent.
func BenchmarkPattern(b *testing.B) {
	var text bytes.Buffer
	if _, err := workload.WriteSession(&text, workload.Spec{Seed: 1, Bytes: 4 << 20, Entries: 1000, Branches: 4}); err != nil {
		b.Fatal(err)
	}
	for _, word := range []string{"kumquatx", "persimmonx", "sessiones", "returne", "settingst", "buildings", "class=", "notation", "senseia", "error:e"} {
		b.Run(word, func(b *testing.B) {
			p := newLinePattern(word)
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				if p.matchesLine(text.Bytes()) {
					b.Fatal("the session has the word")
				}
			}
		})
	}
}

// BenchmarkEscapes searches a session for escapes of letters, which it does not have.
func BenchmarkEscapes(b *testing.B) {
	var text bytes.Buffer
	if _, err := workload.WriteSession(&text, workload.Spec{Seed: 1, Bytes: 4 << 20, Entries: 1000, Branches: 4}); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		if indexUnicodeEscape(text.Bytes()) >= 0 {
			b.Fatal("there is an escape")
		}
	}
}
