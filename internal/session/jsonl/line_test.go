package jsonl

import (
	"fmt"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", ""},
		{"ends", "a\nb\n", "1@0 a, 2@2 b"},
		{"torn", "a\nb", "1@0 a, 2@2 b torn"},
		{"carriage returns", "a\r\n\r\nb\r\n", "1@0 a, 3@5 b"},
		{"carriage returns alone", "a\rb\r", "1@0 a\rb torn"},
		{"blank", "\n \t\v\f\n\u00a0\u2003\u3000\na\n", "4@15 a"},
		{"byte order mark", "\ufeffa\n\ufeffb\n", "1@3 a, 2@5 \ufeffb"},
		{"white start", "\u00a0\ufeff a \n\u00a0b\n", "1@6 a , 2@9 \u00a0b"},
	} {
		var got []string
		for l := range Lines([]byte(c.text)) {
			s := fmt.Sprintf("%d@%d %s", l.Num, l.Off, l.Data)
			if l.Torn {
				s += " torn"
			}
			got = append(got, s)
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s: %q, want %q", c.name, s, c.want)
		}
	}
}

func TestLinesStops(t *testing.T) {
	t.Parallel()
	for l := range Lines([]byte("a\nb\n")) {
		if l.Num > 1 {
			t.Fatal("went on")
		}
		break
	}
}
