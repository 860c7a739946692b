package terminal

import (
	"bytes"
	"testing"
)

// Characters that are split between two writes stay intact.
func TestSanitizingWriter(t *testing.T) {
	text := "añ€👍\u009bz\x1b[0m\n\tend\xe2\x82"
	want := "añ€👍\ufffdz\ufffd[0m\n\tend\ufffd"
	for size := 1; size <= len(text); size++ {
		var b bytes.Buffer
		s := NewSanitizingWriter(&b)
		for from := 0; from < len(text); from += size {
			part := text[from:min(len(text), from+size)]
			if n, err := s.Write([]byte(part)); n != len(part) || err != nil {
				t.Fatalf("Write = %d, %v", n, err)
			}
		}
		if err := s.Close(); err != nil || b.String() != want {
			t.Errorf("in pieces of %d: %q, want %q; %v", size, b.String(), want, err)
		}
	}
}
