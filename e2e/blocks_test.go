//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"sessiontree/e2e/harness"
	"sessiontree/internal/bench/transcript"
)

// Of an entry of very many blocks the first are on the page, the rest when asked for.
func TestManyBlocks(t *testing.T) {
	box := harness.NewBox(t)
	f := transcript.New(transcript.Pi, "e2e-blocks", "/home/dev/project", harness.Start0)
	var more []transcript.O
	for i := range 1499 {
		more = append(more, transcript.Text(fmt.Sprintf("block %d", i+2)))
	}
	entry := f.User("block 1", more...)
	f.Say("That was a lot.")
	path := box.Put(f)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(path))
	live(p)
	p.Says(item(entry), "Show 1,000 more of 1,500 blocks")
	if text := p.Text(item(entry)); strings.Contains(text, "block 101") || !strings.Contains(text, "block 100") {
		t.Error("the page shows other blocks than the first hundred")
	}
	p.Exec(`document.querySelector("a[data-more=rest]").focus()`)
	p.Key(harness.Enter)
	p.Says(item(entry), "block 1100")
	p.Wait(`document.activeElement.innerText === "block 101"`)
	p.Click(`a[data-more="rest"]`)
	p.Says(item(entry), "block 1500")
	p.Lacks(`a[data-more="rest"]`)
	if n := p.Count(item(entry) + " .block"); n != 1500 {
		t.Errorf("%d blocks, want 1500", n)
	}
}
