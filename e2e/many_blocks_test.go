//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

// An entry with very many blocks shows the first ones, and the rest on request.
func TestManyBlocks(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := transcript.New(transcript.Pi, "e2e-blocks", "/home/dev/project", harness.SessionStart)
	var more []transcript.Object
	for i := range 1499 {
		more = append(more, transcript.TextBlock(fmt.Sprintf("block %d", i+2)))
	}
	entry := f.AddPrompt("block 1", more...)
	f.AddReply("That was a lot.")
	path := box.WriteSession(f)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	waitForLive(p)
	p.WaitForText(pathItemSelector(entry), "Show 1,000 more of 1,500 blocks")
	if text := p.Text(pathItemSelector(entry)); strings.Contains(text, "block 101") || !strings.Contains(text, "block 100") {
		t.Error("the page shows other blocks than the first hundred")
	}
	p.RunScript(`document.querySelector("a[data-more=rest]").focus()`)
	p.PressKey(harness.Enter)
	p.WaitForText(pathItemSelector(entry), "block 1100")
	p.WaitUntil(`document.activeElement.innerText === "block 101"`)
	p.Click(`a[data-more="rest"]`)
	p.WaitForText(pathItemSelector(entry), "block 1500")
	p.WaitForNone(`a[data-more="rest"]`)
	if n := p.CountElements(pathItemSelector(entry) + " .block"); n != 1500 {
		t.Errorf("%d blocks, want 1500", n)
	}
}
