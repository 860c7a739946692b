package main

import (
	"time"

	"sessiontree/internal/bench/transcript"
)

const atlasDir = "pi/--home-dev-atlas--"

// atlas is a map server: the sample with the most branches, its fork, and one
// full of failures.
func atlas() []session {
	start := day.Add(-7 * time.Hour)
	cache, parent := tileCache(start)
	return []session{
		place(atlasDir, start, cache),
		place(atlasDir, start.Add(5*time.Hour), tileFork(start.Add(5*time.Hour), parent)),
		place(atlasDir, day.Add(-50*time.Hour), flakyTest(day.Add(-50*time.Hour))),
	}
}

func tileCache(start time.Time) (*transcript.File, string) {
	f := transcript.New(transcript.Pi, "0a6c1f52-7d1e-4b0e-9a51-c1a5e0f00001", "/home/dev/atlas", start)
	f.SetModel("anthropic", "claude-sonnet-4-5")
	f.SetThinking("medium")
	f.User("Requests for zoom 12 and up take 400 ms. Where does the time go?")
	f.Read("I'll look at the request path first.", "internal/tile/serve.go", serveSource)
	f.Bash("Now a profile of one request.", "go test ./internal/tile -run XXX -bench Serve -cpuprofile cpu.out && go tool pprof -top cpu.out | head -8", profile, false)
	f.Think("The encoder dominates, and it runs once per request for the same tile. A cache of encoded tiles is the obvious thing. Which one? Bounded by bytes rather than by count, because tiles differ a lot in size.",
		"Three quarters of the time is spent encoding PNGs, and **the same tile is encoded again for every request**.\n\n| step | share |\n|---|---|\n| `png.Encode` | 74 % |\n| reading features | 15 % |\n| drawing | 8 % |\n\nA cache of encoded tiles, bounded by bytes, would take most of it away.")
	ask := f.User("Add one. Keep it small, 64 MB by default.")
	f.Label(ask, "cache design")
	f.Back(ask)
	lruBranch(f, ask)
	f.Summary(ask, "The branch tried a third-party LRU package. It worked, but it pulled in four modules for one type and counted entries, not bytes. It was left when the size limit turned out to need a wrapper of 80 lines.\n\n## Files\n- internal/tile/cache.go (written, then removed)")
	f.Think("A map plus a linked list from the standard library is about 60 lines. container/list is enough.", "I'll write it with `container/list`: no new module, and the limit counts bytes.")
	f.Call("", "write", transcript.O{"path", "internal/tile/cache.go", "content", cacheSource})
	f.Result("Successfully wrote 1043 bytes to internal/tile/cache.go")
	f.Edit("Then the handler asks the cache first.", "internal/tile/serve.go", "img := s.draw(id)", "if b, ok := s.cache.get(id); ok {", serveDiff)
	f.Bash("", "go test ./internal/tile/...", "--- FAIL: TestCache_Evicts (0.00s)\n    cache_test.go:31: get(\"b\") = found, want evicted\nFAIL\nFAIL\tatlas/internal/tile\t0.214s\n\nCommand exited with code 1", true)
	f.Edit("The limit was checked before the new tile was counted.", "internal/tile/cache.go", "for c.used > c.limit {", "for c.used+len(b) > c.limit {", evictDiff)
	f.Bash("", "go test ./internal/tile/...", "ok  \tatlas/internal/tile\t0.231s\n", false)
	done := f.Say("The cache is in. A request for a tile that was drawn before now takes **3 ms** instead of 400.\n\n```go\ncache := tile.NewCache(64 << 20)\n```\n\n1. It counts bytes, not tiles.\n2. The oldest tile goes first.\n3. `-cache 0` turns it off.")
	concurrency(f, done)
	f.SetThinking("high")
	shot := f.User("Here is what I get after a few minutes of panning. One tile stays white.", transcript.Image(mapPicture(true)))
	f.Label(shot, "white tile") // while the agent ran: the next entry hangs on it
	f.Call("Let me render that tile alone.", "bash", transcript.O{"command", "./bin/atlas render 12/2148/1434 -o /tmp/tile.png"})
	f.Result("rendered 256x256 in 38ms\n", transcript.Image(mapPicture(false)))
	f.Think("The tile itself renders fine, so the cache holds a bad copy. When the client goes away during encoding, the buffer is short but no error is set. We store it anyway.", "The tile renders correctly, so the cached copy is bad: when a client disconnects, encoding stops early and **the short buffer is cached**.")
	f.Edit("Only complete tiles may be stored.", "internal/tile/serve.go", "s.cache.put(id, buf.Bytes())", "if err := r.Context().Err(); err != nil {", contextDiff)
	fixed := f.Say("A tile is stored only when the request is still alive after encoding. I added a test that hangs up in the middle.")
	kept := f.User("Good. Put the cache size into the metrics page too.")
	f.Compact("## Goal\nMake tile requests fast.\n\n## Done\n- Encoded tiles are cached, bounded by bytes (64 MB), oldest first.\n- Tiles whose request was cancelled are not stored.\n\n## Next\nShow hits, misses and bytes on the metrics page.", kept)
	f.Read("", "internal/metrics/page.go", metricsSource)
	f.Edit("", "internal/metrics/page.go", "fmt.Fprintf(w, \"requests %d\\n\", requests.Load())", "fmt.Fprintf(w, \"tile_cache_bytes %d\\n\", cache.Bytes())", metricsDiff)
	f.Say("The metrics page now shows `tile_cache_hits`, `tile_cache_misses` and `tile_cache_bytes`.")
	f.Named("Tile cache")
	f.Label(fixed, "fixed")
	f.User("And what happens when two instances share a disk cache?")
	f.Think("They asked a question, no change needed yet.", "Nothing breaks today: the cache lives in memory and each instance has its own. A shared disk cache would need whole files written under another name and renamed into place, so that a reader never sees half a tile.")
	return f, start.Format("2006-01-02T15-04-05-000Z") + "_" + f.ID + ".jsonl"
}

// lruBranch is the attempt that was given up, with a question inside it.
func lruBranch(f *transcript.File, ask string) {
	f.Say("I'll use an existing LRU package and wrap it.")
	f.Bash("", "go get lru-package@latest", "go: added 4 modules\n", false)
	mid := f.Say("It is in `go.mod`. It counts entries, so I need a wrapper for the byte limit.")
	f.User("How long is the wrapper?")
	f.Say("About 80 lines with its own lock, longer than the cache itself would be.")
	f.Back(mid)
	f.User("Can we do without the wrapper if all tiles have the same size?")
	f.Say("They don't: an empty sea tile is 103 bytes, a city at zoom 16 is 90 KB.")
	f.Back(ask)
	f.User("Would a plain sync.Map do?")
	f.Say("It would never forget anything. At 20 KB a tile a day of panning is several GB.")
}

// concurrency is a side question that stays open beside the main line.
func concurrency(f *transcript.File, done string) {
	f.User("Two clients asking for the same new tile still draw it twice, don't they?")
	side := f.Say("Yes. `singleflight` would join them.")
	f.User("Try it.")
	f.Answer("aborted", []transcript.O{transcript.Text("Adding a `singleflight.Group` to")}, "errorMessage", "Request was aborted")
	f.Back(side)
	f.User("Leave it for now, note it in TODO.md")
	f.Edit("", "TODO.md", "## Later", "## Later\n- join identical tile requests", "   1 # To do\n   2 \n   3 ## Later\n+  4 - join identical tile requests\n")
	f.Say("Noted.")
	f.Back(done)
}

func tileFork(start time.Time, parent string) *transcript.File {
	f := transcript.New(transcript.Pi, "0a6c1f52-7d1e-4b0e-9a51-c1a5e0f00002", "/home/dev/atlas", start,
		"parentSession", "/home/dev/.pi/agent/sessions/--home-dev-atlas--/"+parent)
	f.SetModel("anthropic", "claude-opus-4-5")
	f.User("Requests for zoom 12 and up take 400 ms. Where does the time go?")
	f.Say("Three quarters of the time is spent encoding PNGs, and the same tile is encoded again for every request.")
	f.User("Before caching: would WebP be cheaper to encode?")
	f.Bash("", "go test ./internal/tile -bench 'Encode/(png|webp)' -benchtime 2s", "BenchmarkEncode/png-8     412   5.81 ms/op   41210 B/op\nBenchmarkEncode/webp-8    188  12.70 ms/op   29877 B/op\n", false)
	f.Say("No: it takes **twice as long** to encode and saves a quarter of the bytes. It pays only behind a cache.")
	return f
}

func flakyTest(start time.Time) *transcript.File {
	f := transcript.New(transcript.Pi, "0a6c1f52-7d1e-4b0e-9a51-c1a5e0f00003", "/home/dev/atlas", start)
	f.SetModel("openai", "gpt-5.1-codex")
	f.SetThinking("low")
	f.User("TestRange fails one run in twenty. Find out why.")
	f.Shell("go test ./internal/tile -run TestRange -count 20", "\x1b[32mok\x1b[0m   run 1\n\x1b[32mok\x1b[0m   run 2\n\x1b[31;1mFAIL\x1b[0m run 3: range 512-1023: got 511 bytes, want 512\n", 1)
	f.Bash("I'll run it under the race detector.", "go test -race ./internal/tile -run TestRange -count 20", "==================\nWARNING: DATA RACE\nWrite at 0x00c000196018 by goroutine 12:\n  atlas/internal/tile.(*file).seek()\n      internal/tile/range.go:48\n==================\nFAIL\n\nCommand exited with code 66", true)
	f.Answer("error", nil, "errorMessage", "529 overloaded: the model is busy, try again later")
	f.User("Again, please.")
	f.Answer("error", nil, "errorMessage", "529 overloaded: the model is busy, try again later")
	f.SetModel("anthropic", "claude-sonnet-4-5")
	f.User("Go on with this model.")
	f.Call("The file offset is shared. I'll check who else seeks.", "grep", transcript.O{"pattern", "\\.seek\\(", "path", "internal"})
	f.Failed("grep: internal: Is a directory (use -r)")
	f.Bash("", "grep -rn '\\.seek(' internal", "internal/tile/range.go:48:\tf.seek(from)\ninternal/tile/range.go:91:\tf.seek(0)\n", false)
	f.Edit("`ReadAt` needs no shared offset.", "internal/tile/range.go", "f.seek(from)", "f.ReadAt(buf, from)", "  46 func (f *file) part(from, to int64) ([]byte, error) {\n  47 \tbuf := make([]byte, to-from)\n- 48 \tf.seek(from)\n- 49 \t_, err := io.ReadFull(f, buf)\n+ 48 \t_, err := f.ReadAt(buf, from)\n  50 \treturn buf, err\n  51 }\n")
	f.Bash("", "go test -race ./internal/tile -run TestRange -count 200", "ok  \tatlas/internal/tile\t11.902s\n", false)
	f.Say("Two requests shared one file offset. `ReadAt` takes the offset as an argument, so there is nothing left to race on. 200 runs are clean.")
	f.Named("Flaky range test")
	return f
}
