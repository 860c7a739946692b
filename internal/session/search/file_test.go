package search

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

func TestWords_MayMatchFile(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat(`{"text":"other"}`+"\n", 100)
	long := `{"text":"` + strings.Repeat("x", 3*blockSize) + ` needle"}`
	edge := strings.Repeat("y", blockSize-3) // the word is at the end of the first block
	for _, c := range []struct {
		name, words, file string
		want              bool
	}{
		{"empty file", "needle", "", false},
		{"a word", "needle", filler + `{"text":"a Needle"}` + "\n" + filler, true},
		{"no word", "needle", filler, false},
		{"two words in one line", "needle hay", `{"text":"hay needle"}`, true},
		{"two words in two lines", "needle hay", `{"text":"hay"}` + "\n" + `{"text":"needle"}` + "\n", false},
		{"a line longer than a block", "needle", filler + long + "\n" + filler, true},
		{"the end of a block", "needle", edge + "needle\n" + filler, true},
		{"an escaped letter", "needle", `{"text":"n\u0065edle"}`, true},
		{"an escaped letter in another line", "needle hay", `{"text":"\u00e4"}` + "\n" + filler, true},
		{"a control character", "needle", `{"text":"\u001b[0m"}`, false},
	} {
		words, err := ParseWords(c.words)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := words.mayMatch(context.Background(), strings.NewReader(c.file), false); got != c.want || err != nil {
			t.Errorf("%s: %t, %v; want %t", c.name, got, err, c.want)
		}
	}
	words, _ := ParseWords("needle")
	if _, err := words.mayMatch(context.Background(), iotest.ErrReader(iotest.ErrTimeout), false); err == nil {
		t.Error("an error of the file is lost")
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := words.mayMatch(canceled, strings.NewReader(filler), false); err == nil {
		t.Error("a canceled search reads on")
	}
}

func TestPlainFiles(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	words, err := ParseWords("needle")
	if err != nil {
		t.Fatal(err)
	}
	plain := &PlainFiles{}
	for _, text := range []string{`{"text":"hay"}`, `{"text":"n\u0065edle"}`, `{"text":"hay","x":"\u001b\n"}`, `{"text":"needle and more"}`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			got, err := words.MayMatchFile(context.Background(), f, path, plain)
			if want := !strings.Contains(text, "hay"); got != want || err != nil {
				t.Errorf("%s: %t, %v; want %t", text, got, err, want)
			}
			info, err := f.Stat()
			if want := strings.Contains(text, "hay"); err != nil || plain.has(f.Name(), info) != want {
				t.Errorf("%s: known as plain: %t, %v; want %t", text, !want, err, want)
			}
			f.Close()
		}
	}
}

func TestIndexUnicodeEscape(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune(`\uux12é`)), 0, 80, -1).Draw(t, "text")
		if got, want := indexUnicodeEscape([]byte(text)), strings.Index(text, `\u`); got != want {
			t.Errorf("%q: %d; want %d", text, got, want)
		}
	})
}
