package main

import (
	"time"

	"sessiontree/internal/testgen/transcript"
)

const atlasDir = "pi/--home-dev-atlas--"

// atlasSessions returns a map server: the sample with the most branches, its fork, one that runs a
// tool, and one full of failures.
func atlasSessions() []sampleSession {
	start := newestDay.Add(-7 * time.Hour)
	cache, parent := tileCacheSession(start)
	return []sampleSession{
		newSample(atlasDir, start, cache),
		newSample(atlasDir, start.Add(5*time.Hour), tileForkSession(start.Add(5*time.Hour), parent)),
		newSample(atlasDir, newestDay.Add(-10*time.Minute), diskCacheSession(newestDay.Add(-10*time.Minute))),
		newSample(atlasDir, newestDay.Add(-50*time.Hour), flakyTestSession(newestDay.Add(-50*time.Hour))),
	}
}

func tileCacheSession(start time.Time) (*transcript.File, string) {
	f := transcript.New(transcript.Pi, "0a6c1f52-7d1e-4b0e-9a51-c1a5e0f00001", "/home/dev/atlas", start)
	f.AddModelChange("anthropic", "claude-sonnet-4-5")
	f.AddThinkingChange("medium")
	f.AddPrompt("Requests for zoom 12 and up take 400 ms. Where does the time go?")
	f.AddReadCall("I'll look at the request path first.", "internal/tile/serve.go", serveSource)
	f.AddBashCall("Now a profile of one request.", "go test ./internal/tile -run XXX -bench Serve -cpuprofile cpu.out && go tool pprof -top cpu.out | head -8", profile, false)
	f.AddThinkingReply("The encoder dominates, and it runs once per request for the same tile. A cache of encoded tiles is the obvious thing. Which one? Bounded by bytes rather than by count, because tiles differ a lot in size.",
		"Three quarters of the time is spent encoding PNGs, and **the same tile is encoded again for every request**.\n\n| step | share |\n|---|---|\n| `png.Encode` | 74 % |\n| reading features | 15 % |\n| drawing | 8 % |\n\nA cache of encoded tiles, bounded by bytes, would take most of it away.")
	ask := f.AddPrompt("Add one. Keep it small, 64 MB by default.")
	f.AddLabel(ask, "cache design")
	f.BranchFrom(ask)
	addLRUBranch(f, ask)
	f.AddBranchSummary(ask, "The branch tried a third-party LRU package. It worked, but it pulled in four modules for one type and counted entries, not bytes. It was left when the size limit turned out to need a wrapper of 80 lines.\n\n## Files\n- internal/tile/cache.go (written, then removed)")
	f.AddThinkingReply("A map plus a linked list from the standard library is about 60 lines. container/list is enough.", "I'll write it with `container/list`: no new module, and the limit counts bytes.")
	f.AddToolCall("", "write", transcript.Object{"path", "internal/tile/cache.go", "content", cacheSource})
	f.AddResult("Successfully wrote 1043 bytes to internal/tile/cache.go")
	f.AddEditCall("Then the handler asks the cache first.", "internal/tile/serve.go", "img := s.draw(id)", "if b, ok := s.cache.get(id); ok {", serveDiff)
	f.AddBashCall("", "go test ./internal/tile/...", "--- FAIL: TestCache_Evicts (0.00s)\n    cache_test.go:31: get(\"b\") = found, want evicted\nFAIL\nFAIL\tatlas/internal/tile\t0.214s\n\nCommand exited with code 1", true)
	f.AddEditCall("The limit was checked before the new tile was counted.", "internal/tile/cache.go", "for c.used > c.limit {", "for c.used+len(b) > c.limit {", evictDiff)
	f.AddBashCall("", "go test ./internal/tile/...", "ok  \tatlas/internal/tile\t0.231s\n", false)
	done := f.AddReply("The cache is in. A request for a tile that was drawn before now takes **3 ms** instead of 400.\n\n```go\ncache := tile.NewCache(64 << 20)\n```\n\n1. It counts bytes, not tiles.\n2. The oldest tile goes first.\n3. `-cache 0` turns it off.")
	addConcurrencyBranch(f, done)
	f.AddThinkingChange("high")
	shot := f.AddPrompt("Here is what I get after a few minutes of panning. One tile stays white.", transcript.ImageBlock(mapPicture(true)))
	f.AddLabel(shot, "white tile") // while the agent ran: the next entry is its child
	f.AddToolCall("Let me render that tile alone.", "bash", transcript.Object{"command", "./bin/atlas render 12/2148/1434 -o /tmp/tile.png"})
	f.AddResult("rendered 256x256 in 38ms\n", transcript.ImageBlock(mapPicture(false)))
	f.AddThinkingReply("The tile itself renders fine, so the cache holds a bad copy. When the client goes away during encoding, the buffer is short but no error is set. We store it anyway.", "The tile renders correctly, so the cached copy is bad: when a client disconnects, encoding stops early and **the short buffer is cached**.")
	f.AddEditCall("Only complete tiles may be stored.", "internal/tile/serve.go", "s.cache.put(id, buf.Bytes())", "if err := r.Context().Err(); err != nil {", contextDiff)
	fixed := f.AddReply("A tile is stored only when the request is still alive after encoding. I added a test that hangs up in the middle.")
	kept := f.AddPrompt("Good. Put the cache size into the metrics page too.")
	f.AddCompaction("## Goal\nMake tile requests fast.\n\n## Done\n- Encoded tiles are cached, bounded by bytes (64 MB), oldest first.\n- Tiles whose request was cancelled are not stored.\n\n## Next\nShow hits, misses and bytes on the metrics page.", kept)
	f.AddReadCall("", "internal/metrics/page.go", metricsSource)
	f.AddEditCall("", "internal/metrics/page.go", "fmt.Fprintf(w, \"requests %d\\n\", requests.Load())", "fmt.Fprintf(w, \"tile_cache_bytes %d\\n\", cache.Bytes())", metricsDiff)
	f.AddReply("The metrics page now shows `tile_cache_hits`, `tile_cache_misses` and `tile_cache_bytes`.")
	f.AddName("Tile cache")
	f.AddLabel(fixed, "fixed")
	f.AddPrompt("And what happens when two instances share a disk cache?")
	f.AddThinkingReply("They asked a question, no change needed yet.", "Nothing breaks today: the cache lives in memory and each instance has its own. A shared disk cache would need whole files written under another name and renamed into place, so that a reader never sees half a tile.")
	return f, start.Format("2006-01-02T15-04-05-000Z") + "_" + f.ID + ".jsonl"
}

// addLRUBranch adds the abandoned attempt with a question inside it.
func addLRUBranch(f *transcript.File, ask string) {
	f.AddReply("I'll use an existing LRU package and wrap it.")
	f.AddBashCall("", "go get lru-package@latest", "go: added 4 modules\n", false)
	mid := f.AddReply("It is in `go.mod`. It counts entries, so I need a wrapper for the byte limit.")
	f.AddPrompt("How long is the wrapper?")
	f.AddReply("About 80 lines with its own lock, longer than the cache itself would be.")
	f.BranchFrom(mid)
	f.AddPrompt("Can we do without the wrapper if all tiles have the same size?")
	f.AddReply("They don't: an empty sea tile is 103 bytes, a city at zoom 16 is 90 KB.")
	f.BranchFrom(ask)
	f.AddPrompt("Would a plain sync.Map do?")
	f.AddReply("It would never forget anything. At 20 KB a tile a day of panning is several GB.")
}

// addConcurrencyBranch adds a side question that stays open next to the main branch.
func addConcurrencyBranch(f *transcript.File, done string) {
	f.AddPrompt("Two clients asking for the same new tile still draw it twice, don't they?")
	side := f.AddReply("Yes. `singleflight` would join them.")
	f.AddPrompt("Try it.")
	f.AddAnswer("aborted", []transcript.Object{transcript.TextBlock("Adding a `singleflight.Group` to")}, "errorMessage", "Request was aborted")
	f.BranchFrom(side)
	f.AddPrompt("Leave it for now, note it in TODO.md")
	f.AddEditCall("", "TODO.md", "## Later", "## Later\n- join identical tile requests", "   1 # To do\n   2 \n   3 ## Later\n+  4 - join identical tile requests\n")
	f.AddReply("Noted.")
	f.BranchFrom(done)
}

func tileForkSession(start time.Time, parent string) *transcript.File {
	f := transcript.New(transcript.Pi, "0a6c1f52-7d1e-4b0e-9a51-c1a5e0f00002", "/home/dev/atlas", start,
		"parentSession", "/home/dev/.pi/agent/sessions/--home-dev-atlas--/"+parent)
	f.AddModelChange("anthropic", "claude-opus-4-5")
	f.AddPrompt("Requests for zoom 12 and up take 400 ms. Where does the time go?")
	f.AddReply("Three quarters of the time is spent encoding PNGs, and the same tile is encoded again for every request.")
	f.AddPrompt("Before caching: would WebP be cheaper to encode?")
	f.AddBashCall("", "go test ./internal/tile -bench 'Encode/(png|webp)' -benchtime 2s", "BenchmarkEncode/png-8     412   5.81 ms/op   41210 B/op\nBenchmarkEncode/webp-8    188  12.70 ms/op   29877 B/op\n", false)
	f.AddReply("No: it takes **twice as long** to encode and saves a quarter of the bytes. It pays only behind a cache.")
	return f
}

// diskCacheSession returns a session whose last tool runs.
func diskCacheSession(start time.Time) *transcript.File {
	f := transcript.New(transcript.Pi, "0a6c1f52-7d1e-4b0e-9a51-c1a5e0f00004", "/home/dev/atlas", start)
	f.AddModelChange("anthropic", "claude-opus-4-5")
	f.AddPrompt("Write evicted tiles to disk, at most 2 GB.")
	f.AddReadCall("I'll see what the cache does when it evicts.", "internal/tile/cache.go", cacheSource)
	f.AddToolCall("A tile is written under another name and renamed, so that no reader sees half of it.", "write", transcript.Object{"path", "internal/tile/disk.go", "content", diskSource})
	f.AddResult("Successfully wrote 512 bytes to internal/tile/disk.go")
	f.AddBashCall("", "go vet ./internal/tile", "", false)
	f.AddName("Disk cache")
	f.AddToolCall("Now the tests, with the race detector.", "bash", transcript.Object{"command", "go test -race -count 20 ./internal/tile/..."})
	return f
}

func flakyTestSession(start time.Time) *transcript.File {
	f := transcript.New(transcript.Pi, "0a6c1f52-7d1e-4b0e-9a51-c1a5e0f00003", "/home/dev/atlas", start)
	f.AddModelChange("openai", "gpt-5.1-codex")
	f.AddThinkingChange("low")
	f.AddPrompt("TestRange fails one run in twenty. Find out why.")
	f.AddShellCommand("go test ./internal/tile -run TestRange -count 20", "\x1b[32mok\x1b[0m   run 1\n\x1b[32mok\x1b[0m   run 2\n\x1b[31;1mFAIL\x1b[0m run 3: range 512-1023: got 511 bytes, want 512\n", 1)
	f.AddBashCall("I'll run it under the race detector.", "go test -race ./internal/tile -run TestRange -count 20", "==================\nWARNING: DATA RACE\nWrite at 0x00c000196018 by goroutine 12:\n  atlas/internal/tile.(*file).seek()\n      internal/tile/range.go:48\n==================\nFAIL\n\nCommand exited with code 66", true)
	f.AddAnswer("error", nil, "errorMessage", "529 overloaded: the model is busy, try again later")
	f.AddPrompt("Again, please.")
	f.AddAnswer("error", nil, "errorMessage", "529 overloaded: the model is busy, try again later")
	f.AddModelChange("anthropic", "claude-sonnet-4-5")
	f.AddPrompt("Go on with this model.")
	f.AddToolCall("The file offset is shared. I'll check who else seeks.", "grep", transcript.Object{"pattern", "\\.seek\\(", "path", "internal"})
	f.AddFailedResult("grep: internal: Is a directory (use -r)")
	f.AddBashCall("", "grep -rn '\\.seek(' internal", "internal/tile/range.go:48:\tf.seek(from)\ninternal/tile/range.go:91:\tf.seek(0)\n", false)
	f.AddEditCall("`ReadAt` needs no shared offset.", "internal/tile/range.go", "f.seek(from)", "f.ReadAt(buf, from)", "  46 func (f *file) part(from, to int64) ([]byte, error) {\n  47 \tbuf := make([]byte, to-from)\n- 48 \tf.seek(from)\n- 49 \t_, err := io.ReadFull(f, buf)\n+ 48 \t_, err := f.ReadAt(buf, from)\n  50 \treturn buf, err\n  51 }\n")
	f.AddBashCall("", "go test -race ./internal/tile -run TestRange -count 200", "ok  \tatlas/internal/tile\t11.902s\n", false)
	f.AddReply("Two requests shared one file offset. `ReadAt` takes the offset as an argument, so there is nothing left to race on. 200 runs are clean.")
	f.AddName("Flaky range test")
	return f
}
