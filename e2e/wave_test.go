//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/e2e/harness"
)

const (
	shopFile = "0aa11111-1111-4111-8111-111111111111.jsonl"
	asked    = "msg-00000066-0000-4000-8000-000000000066" // the answer that asks two agents
	fixIt    = "msg-00000067-0000-4000-8000-000000000067"
	fixed    = "msg-00000068-0000-4000-8000-000000000068"
	looked   = "msg-0000012d-0000-4000-8000-00000000012d" // the first entry of an agent
)

// shop copies the sample project of Wave: two sessions and three subagents.
func shop(t *testing.T) (dir, path string) {
	t.Helper()
	dir = t.TempDir()
	project := filepath.Join(dir, "home-dev-shop")
	if err := os.CopyFS(project, os.DirFS(filepath.Join(harness.Root(t), "testdata", "wave", "project"))); err != nil {
		t.Fatal(err)
	}
	return dir, filepath.Join(project, shopFile)
}

// waveSays is a message as Wave records it.
func waveSays(id, role, text string) string {
	return fmt.Sprintf(`{"timestamp":"2026-03-02T11:00:00.000Z","id":%q,"role":%q,"blocks":[{"type":"text","content":%q}]}`+"\n", id, role, text)
}

// A reader goes from the index into a session, to a tool and an agent, labels an
// entry and makes a new session of a path. The file itself stays as it is.
func TestWave(t *testing.T) {
	dir, path := shop(t)
	server := harness.Start(t, dir)
	p := chromium(t).Page(t)
	holdToasts(p)
	p.Open(server.URL)
	p.Wait(`document.querySelectorAll("a.srow").length === 2`) // subagents are no sessions
	p.Exec(`[...document.querySelectorAll("a.srow")].find(a => a.innerText.includes("Find out why")).click()`)
	p.Has("#tree .row .leaf-tag")
	live(p)
	before := read(t, path)

	// A tool has a row, and its card holds what came of it.
	p.Says(fmt.Sprintf(`#tree .row.row--tool[data-entry=%q]`, asked), "Look for leaks")
	p.Wait(`[...document.querySelectorAll("#path .tool")].some(t => t.textContent.includes("There is one in cart.ts"))`)

	// Into an agent, and back.
	p.Says(stub(looked), "Look for leaks")
	p.Click(stub(looked) + " .row-link")
	p.Says("#path", "Look for leaks in the cart module")
	inURL(p, "entry="+looked)
	p.Click(`#away a[data-do="leaf"]`)
	p.Says("#path", "Fixed.")

	// A label is kept beside the file.
	focusRow(p, fixIt)
	p.Key("L", harness.Shift)
	p.Has("#change-label:focus")
	p.Type("the order")
	p.Key(harness.Enter)
	p.Says(row(fixIt)+" .chip", "the order")

	// A branch in place is not to be had; a new file is.
	openFor(p, "fork", asked)
	p.Click(`#change [data-do="change-submit"]`)
	p.Says("#toast", "Branched to")
	p.Click("#toast a")
	p.Has(row(asked))
	p.Lacks(row(fixIt))
	if got := read(t, path); got != before {
		t.Errorf("the session's file was changed:\n%s", got)
	}
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "1*.jsonl"))
	if len(files) != 1 {
		t.Fatalf("new files: %v", files)
	}
	made := read(t, files[0])
	head, rest, _ := strings.Cut(made, "\n")
	if !strings.HasPrefix(head, `{"type":"metadata","workdir":"/home/dev/shop","createdAt":`) || !strings.Contains(before, rest) || strings.Count(rest, "\n") != 2 {
		t.Errorf("the new file holds\n%s", made)
	}
}

// What Wave takes back while the reader looks on stays as a branch, also after a
// restart.
func TestWave_Rewind(t *testing.T) {
	box := harness.NewBox(t)
	dir, path := shop(t)
	server := harness.Start(t, dir)
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(path))
	p.Has(row(fixed))
	live(p)
	mark(p)
	whole := strings.SplitAfter(read(t, path), "\n")
	box.Append(path, []byte(waveSays("n1", "user", "And test it")))
	p.Has(row("n1"))

	box.Write(path, []byte(strings.Join(whole[1:3], ""))) // without its header, as Wave leaves it
	p.Lacks(row("n1"))
	p.Says(stub(fixIt), "rewound")
	p.Says(stub(fixIt), "Fix it")
	box.Append(path, []byte(waveSays("n2", "user", "Leave it as it is")))
	p.Has(row("n2"))
	p.Click(stub(fixIt) + " .row-link")
	p.Says("#path", "And test it")
	p.Says("#path", "the explorer keeps it")
	unloaded(t, p)
	p.Close()

	server.Restart()
	p = chromium(t).Page(t)
	p.Phone()
	p.Open(server.SessionURL(path))
	live(p)
	p.Has(item("n2"))
	p.Exec(`location.href = document.querySelector("#app").dataset.base + "?entry=n1"`)
	p.Says("#path", "And test it")
}

// Pictures of the blocks of Wave and of a rewound branch.
func TestShots_Wave(t *testing.T) {
	if os.Getenv("SHOTS") == "" {
		t.Skip("no directory for pictures")
	}
	box := harness.NewBox(t)
	dir, path := shop(t)
	blocks, err := os.ReadFile(filepath.Join(harness.Root(t), "testdata", "wave", "forms", "blocks.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(dir, "home-dev-shop", "0ff66666-6666-4666-8666-666666666666.jsonl")
	box.Write(other, blocks)
	server := harness.Start(t, dir)
	p := chromium(t).Page(t)
	p.Size(1440, 900)
	p.Open(server.SessionURL(other))
	live(p)
	p.Shot("wave-blocks-end")
	p.Exec(`document.querySelector("#tree .row--asst .row-link").click()`)
	p.Has(item("msg-00000003-0000-4000-8000-000000000003"))
	p.Shot("wave-blocks")
	p.Open(server.SessionURL(path))
	p.Has(row(fixed))
	live(p)
	whole := strings.SplitAfter(read(t, path), "\n")
	box.Write(path, []byte(strings.Join(whole[1:3], "")+waveSays("n2", "user", "Leave it as it is")))
	p.Has(row("n2"))
	p.Shot("wave-rewound")
	p.Click(stub(fixIt) + " .row-link")
	p.Says("#path", "the explorer keeps it")
	p.Shot("wave-rewound-open")
	p.Phone()
	p.Shot("wave-phone")
}
