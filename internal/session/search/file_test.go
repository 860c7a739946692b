package search

import (
	"context"
	"strings"
	"testing"
	"testing/iotest"
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
		if got, err := words.MayMatchFile(context.Background(), strings.NewReader(c.file)); got != c.want || err != nil {
			t.Errorf("%s: %t, %v; want %t", c.name, got, err, c.want)
		}
	}
	words, _ := ParseWords("needle")
	if _, err := words.MayMatchFile(context.Background(), iotest.ErrReader(iotest.ErrTimeout)); err == nil {
		t.Error("an error of the file is lost")
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := words.MayMatchFile(canceled, strings.NewReader(filler)); err == nil {
		t.Error("a canceled search reads on")
	}
}
