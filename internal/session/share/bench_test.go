package share_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const benchEntries = 50_000

// BenchmarkUpdateLive measures the cost of one more entry in a large session, until the
// snapshot is updated.
func BenchmarkUpdateLive(b *testing.B) {
	b.Run("pi", func(b *testing.B) {
		line := func(n int) string {
			up := "null"
			if n > 0 {
				up = fmt.Sprintf(`"e%07d"`, n-1)
			}
			return fmt.Sprintf(`{"type":"message","id":"e%07d","parentId":%s,"timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":"%s"}}`,
				n, up, strings.Repeat("words ", 50))
		}
		benchmarkUpdate(b, `{"type":"session","version":3,"id":"0190f5a2-0000-7000-8000-000000000001","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}`, line)
	})
	b.Run("claude", func(b *testing.B) {
		line := func(n int) string {
			up := "null"
			if n > 0 {
				up = fmt.Sprintf(`"00000000-0000-4000-8000-%012d"`, n-1)
			}
			typ := []string{"user", "assistant"}[n%2]
			return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":"/w","sessionId":"0aa11111-1111-4111-8111-111111111111","version":"2.0.0",`+
				`"type":%q,"message":{"role":%q,"content":[{"type":"text","text":"%s"}]},"uuid":"00000000-0000-4000-8000-%012d","timestamp":"2026-01-01T00:00:00.000Z"}`,
				up, typ, typ, strings.Repeat("words ", 50), n)
		}
		benchmarkUpdate(b, line(0), func(n int) string { return line(n + 1) })
	})
}

func benchmarkUpdate(b *testing.B, head string, line func(n int) string) {
	path := filepath.Join(b.TempDir(), "0aa11111-1111-4111-8111-111111111111.jsonl")
	all := []string{head}
	for n := range benchEntries {
		all = append(all, line(n))
	}
	if err := os.WriteFile(path, []byte(strings.Join(all, "\n")+"\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	src := openSource(b, path)
	s := openShares(b, b.TempDir(), newClock())
	q := wholeRequest(src)
	q.Live = true
	token, _ := createShare(b, s, q)
	reader, _, err := s.OpenSnapshot(ctx, token)
	if err != nil {
		b.Fatal(err)
	}
	a := agent{t: b, path: path}
	n := benchEntries
	for b.Loop() {
		a.write(line(n))
		n++
		s.UpdateLive(ctx, src)
	}
	if got := len(entryIDs(reader)); got < n {
		b.Errorf("%d entries of %d: %+v", got, n, s.List())
	}
}
