package main

import (
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/workload"
)

// A session of 5 MB has 4 to 5 % prompts and answers. The sessions of the part hub-search have as
// much of these and nothing else, so that 20,000 of them are for a search of prompts what 100 GB are.
const (
	hubSearchSize    = 250_000
	hubSearchRaw     = 5_000_000
	hubSearchQueries = 200
	hubSearchTarget  = 300 * time.Millisecond
)

// measureHubSearch measures how long searches for two words of a prompt take on a hub.
func measureHubSearch(b *benchmark) {
	sessions, laptop := b.TempDir(), b.TempDir()
	lib, err := workload.WriteTextLibrary(sessions, b.largeSessions, hubSearchSize, hubSearchQueries)
	if err != nil {
		b.Fatalf("%v", err)
	}
	store := b.TempDir()
	hub, admin, where := startBenchHub(b, store)
	defer hub.Stop()
	code := pushCommand.FindStringSubmatch(postForm(b, admin, hub.URL+"/team/device", url.Values{"projects": {"project"}}))[1]
	b.Logf("pushing %d MB", lib.Bytes/1e6)
	harness.RunCommand(b, laptop, "push", "--hub", hub.URL, "--code", code, "--redact", "none", "--yes", "--project", "project=/home/dev/work", sessions)
	texts := filepath.Join(store, "cache", "texts-*")
	if where != "--store" {
		texts = filepath.Join(hub.Home(), "cache", "*", "hub-*", "texts-*")
	}
	readResults(b, admin, hub, "role:prompt "+lib.Queries[0]) // opens the explorer of the admin
	waitForTexts(texts)
	var all, firsts durations
	for _, query := range lib.Queries {
		found := readResults(b, admin, hub, "role:prompt "+query)
		if found.sessions == 0 {
			b.Errorf("nothing was found for %q", query)
		}
		all, firsts = append(all, found.all), append(firsts, found.first)
	}
	name := fmt.Sprintf("%s: search for two words in the prompts of %d sessions, as many as of %d GB", where, b.largeSessions, b.largeSessions*hubSearchRaw/1e9)
	for what, took := range map[string]durations{name: all, name + ", first result": firsts} {
		p95 := took.quantile(.95)
		b.table.addResult(result{
			what: what, cache: "warm", measured: fmt.Sprintf("p50 %s, p95 %s", formatDuration(took.quantile(.5)), formatDuration(p95)),
			target: "p95 " + formatTarget(hubSearchTarget), missed: p95 >= hubSearchTarget,
		})
	}
	memory, _ := hub.Memory("VmRSS")
	b.table.addMemory("  memory of the hub", memory, 500e6)
}
