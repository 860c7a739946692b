package archive

import (
	"crypto/sha256"
	"testing"

	"pgregory.net/rapid"
)

// A record is parsed as it was encoded, and no part of its line is a record.
func TestRecord(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		want := record{id: FileID("x"), generation: rapid.IntRange(1, 1<<30).Draw(r, "generation"), deleted: rapid.Bool().Draw(r, "deleted")}
		if !want.deleted {
			want.path = string(rapid.SliceOf(rapid.Byte()).Draw(r, "path"))
			want.end, want.modTime, want.stored = rapid.Int64().Draw(r, "end"), rapid.Int64().Draw(r, "time"), rapid.Int64().Draw(r, "stored")
			want.chain = Chain(sha256.Sum256([]byte(want.path)))
		}
		line := want.encodeLine()
		if got, ok := parseRecord(line); !ok || got != want {
			r.Fatalf("%q is parsed as %+v, %v", line, got, ok)
		}
		if cut := line[:rapid.IntRange(0, len(line)-1).Draw(r, "cut")] + "\n"; cut != line {
			if got, ok := parseRecord(cut); ok {
				r.Fatalf("%q is parsed as %+v", cut, got)
			}
		}
	})
}
