package htmlexport_test

import (
	"compress/flate"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/session/export"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
	"sessiontree/internal/slowtest"
	"sessiontree/internal/testgen/workload"
	"sessiontree/internal/web/htmlexport"
	"sessiontree/web/components"
)

// combSession returns a session of n prompts in a chain, each with an answer as a sibling
// of the next prompt.
func combSession(n int) string {
	var b strings.Builder
	b.WriteString(`{"type":"session","version":3,"id":"01964f3a-2b1c-7d4e-8f00-000000000009","timestamp":"2025-03-01T10:00:00.000Z","cwd":"/p"}` + "\n")
	line := func(id, parent, text string) {
		fmt.Fprintf(&b, `{"type":"message","id":%q,"parentId":%s,"timestamp":"2025-03-01T10:00:01.000Z","message":{"role":"user","content":%q}}`+"\n", id, parent, text)
	}
	parent := "null"
	for i := range n {
		id := fmt.Sprint("m", i)
		line(id, parent, fmt.Sprint("main ", i))
		parent = fmt.Sprintf("%q", id)
		line(fmt.Sprint("s", i), parent, fmt.Sprint("side ", i))
	}
	line("end", parent, "end")
	return b.String()
}

// renderTestPage returns the HTML export of a session.
func renderTestPage(ctx context.Context, t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{path}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := lib.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	job, err := export.Prepare(ctx, s, export.Options{Part: export.Part{Scope: export.Tree}, Kind: export.HTML, RenderHTML: htmlexport.NewRenderer(htmlexport.Options{})})
	if err == nil {
		_, err = job.Write(ctx, &b)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// An entry occurs only once in the data, however many paths contain it.
func TestRenderer_EntriesOnce(t *testing.T) {
	page := renderTestPage(t.Context(), t, combSession(200))
	path := pathText(t, page)
	for i := range 200 {
		for _, text := range []string{fmt.Sprintf("<p>main %d</p>", i), fmt.Sprintf("<p>side %d</p>", i)} {
			if n := strings.Count(path, text); n != 1 {
				t.Errorf("%s stands there %d times", text, n)
			}
		}
	}
	first, _, _ := strings.Cut(page, `<script type="text/plain"`)
	if n := strings.Count(first, "<p>main "); n < 50 || n > 110 {
		t.Errorf("%d prompts are painted first", n)
	}
}

// pathText returns the HTML of all entries in a page.
func pathText(t testing.TB, page string) string {
	t.Helper()
	var path strings.Builder
	for _, m := range regexp.MustCompile(`id="part-path-\d+">([^<]*)<`).FindAllStringSubmatch(page, -1) {
		text, err := io.ReadAll(flate.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(m[1]))))
		if err != nil {
			t.Fatal(err)
		}
		path.Write(text)
	}
	return path.String()
}

// sessionWithCode returns a session of n different tool results that contain code.
func sessionWithCode(n int) string {
	var b strings.Builder
	b.WriteString(`{"type":"session","version":3,"id":"01964f3a-2b1c-7d4e-8f00-000000000009","timestamp":"2025-03-01T10:00:00.000Z","cwd":"/p"}` + "\n")
	parent := "null"
	for i := range n {
		for _, message := range []string{
			fmt.Sprintf(`{"role":"assistant","content":[{"type":"toolCall","id":"t%d","name":"read","arguments":{"path":"/p/main.go"}}]}`, i),
			fmt.Sprintf(`{"role":"toolResult","toolCallId":"t%d","toolName":"read","content":[{"type":"text","text":"func f%d() error {\n%s\treturn nil\n}"}]}`, i, i, strings.Repeat(`\tif err := run(1); err != nil {\n\t\treturn err\n\t}\n`, 4)),
		} {
			id := fmt.Sprintf("%q", fmt.Sprintf("e%d", b.Len()))
			fmt.Fprintf(&b, `{"type":"message","id":%s,"parentId":%s,"timestamp":"2025-03-01T10:00:01.000Z","message":%s}`+"\n", id, parent, message)
			parent = id
		}
	}
	return b.String()
}

// Highlighting takes most of the time, so its amount must not grow with the session.
func TestRenderer_HighlightingBounded(t *testing.T) {
	slowtest.SkipIfShort(t)
	spans := func(n int) int {
		return strings.Count(pathText(t, renderTestPage(t.Context(), t, sessionWithCode(n))), `class=\"code-keyword\"`)
	}
	few, many, more := spans(100), spans(2000), spans(4000)
	if few < 500 {
		t.Fatalf("%d keywords are coloured in 100 results", few)
	}
	if many > more || more > many+many/20 {
		t.Errorf("%d keywords are coloured in 2,000 results, %d in 4,000", many, more)
	}
}

// A page that the server renders has no time of its request, whose zone would reveal where it runs.
func TestRenderer_NoPageTime(t *testing.T) {
	text := combSession(3)
	ctx := components.WithPageTime(t.Context(), time.Date(2025, 3, 1, 12, 0, 0, 0, time.FixedZone("", 3600)))
	if page := renderTestPage(ctx, t, text); pathText(t, page) != pathText(t, renderTestPage(t.Context(), t, text)) || !strings.Contains(page, ">2025-03-01 10:00 UTC<") {
		t.Error("times are those of the request")
	}
}

// Pages are rendered concurrently; the result must not depend on the order.
func TestRenderer_Deterministic(t *testing.T) {
	slowtest.SkipIfShort(t)
	text := sessionWithCode(600)
	first := pathText(t, renderTestPage(t.Context(), t, text))
	for range 3 {
		if pathText(t, renderTestPage(t.Context(), t, text)) != first {
			t.Fatal("two pages of one session differ")
		}
	}
}

// The cost must grow linearly with the number of forks.
func TestRenderer_LinearInForks(t *testing.T) {
	slowtest.SkipIfShort(t)
	allocated := func(n int) uint64 {
		text := combSession(n)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		renderTestPage(t.Context(), t, text)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	allocated(100) // one-time allocations
	few, many := allocated(750), allocated(3000)
	if many > 5*few {
		t.Errorf("%d bytes are allocated for 750 forks, %d for 3,000", few, many)
	}
}

// BenchmarkComb renders a session with very many forks.
func BenchmarkComb(b *testing.B) {
	for _, n := range []int{1000, 4000, 16000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) { benchmarkPage(b, combSession(n)) })
	}
}

// BenchmarkSession renders a session of 10,000 entries and 21 MB.
func BenchmarkSession(b *testing.B) {
	var text strings.Builder
	if _, err := workload.WriteSession(&text, workload.Spec{Seed: 7, Cwd: "/home/dev/work/page", Start: time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC), Entries: 10_000, Branches: 100}); err != nil {
		b.Fatal(err)
	}
	benchmarkPage(b, text.String())
}

func benchmarkPage(b *testing.B, text string) {
	path := filepath.Join(b.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{path}})
	if err != nil {
		b.Fatal(err)
	}
	s, err := lib.Open(context.Background(), path)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		job, err := export.Prepare(context.Background(), s, export.Options{Part: export.Part{Scope: export.Tree}, Kind: export.HTML, RenderHTML: htmlexport.NewRenderer(htmlexport.Options{})})
		if err == nil {
			_, err = job.Write(context.Background(), io.Discard)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}
