//go:build e2e

package e2e

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/e2e/harness"
)

// exportHTML exports a session as HTML and returns its URL.
func exportHTML(t *testing.T, path string, flags ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "page.html")
	runExplorer(t, append([]string{"export", path, "-o", out}, flags...)...)
	return (&url.URL{Scheme: "file", Path: out}).String()
}

// runExplorer runs the program.
func runExplorer(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.Command(harness.ExplorerPath(t), args...)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_STATE_HOME="+t.TempDir())
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}

// openOffline opens an HTML file from disk without a network.
func openOffline(p *harness.Page, url string) {
	p.GoOffline()
	p.Open(url)
	p.WaitUntil(`document.documentElement.dataset.ready !== undefined`)
}

// viewSummaryScript summarizes the visible content of rows, path and facts, without link
// targets.
const viewSummaryScript = `((rows, path, facts) => {
  const text = (e) => {
    const copy = e.cloneNode(true);
    for (const time of copy.querySelectorAll("time, .tool-raw")) time.remove(); // written by each browser; asks the server
    for (const b of copy.querySelectorAll(".message-user .message-head > b, .entry--shell .card-title > b, .leaf-end > b")) b.textContent = b.textContent.replace(/^(You|User|You ran|User ran|Current leaf|End of what was exported)$/, "");
    return copy.textContent.replace(/(Claude )?\S+ is writing, /, "").replace(/\s+/g, " ").trim();
  };
  const classes = (e) => [...e.classList].filter(c => !["is-flash", "is-target", "has-copy"].includes(c)).sort().join(".");
  return [
    ...[...rows.querySelectorAll(".row")].map(r => ["row", r.id, classes(r),
      ...["level", "setsize", "posinset", "expanded", "current", "selected"].map(n => r.getAttribute("aria-" + n)),
      [...r.querySelectorAll(":scope > .lane")].map(classes).join(" "), r.dataset.row, r.dataset.parentRow, text(r)].join(" | ")),
    ...[...path.querySelectorAll(".entry")].map(e => ["item", e.id, classes(e), text(e)].join(" | ")),
    "facts " + text(facts.querySelector("#facts dl")), "foot " + text(facts.querySelector("#side-foot")).replace("outline", "").trim(),
    "away " + text(facts.querySelector("#away")), "no hits " + text(facts.querySelector("#no-hits")),
    "filters " + [...facts.querySelectorAll("#filters a[aria-current]")].map(text), "ticks " + [...facts.querySelectorAll("#ruler line")].map(l => l.getAttribute("class") + l.getAttribute("y1")),
  ];
})`

// servedView returns the summary of a view on the server.
func servedView(p *harness.Page, query string) []string {
	return harness.EvalScript[[]string](p, fmt.Sprintf(`Promise.all(["rows?at=0&n=500&", "path?", "facts?"].map(async (part) => {
  const t = document.createElement("template");
  t.innerHTML = await (await fetch(document.querySelector("#app").dataset.base + "/" + part + %q)).text();
  return t.content;
})).then((all) => %s(...all))`, query, viewSummaryScript))
}

// waitForView waits until a page shows the same view as the server.
func waitForView(t *testing.T, page *harness.Page, query string, want []string) {
	t.Helper()
	diff := ""
	defer func() {
		if diff != "" {
			t.Logf("%s: (-live +page)\n%s", query, diff)
		}
	}()
	harness.Until(t, "what the server shows of "+query, func() bool {
		diff = cmp.Diff(want, harness.EvalScript[[]string](page, viewSummaryScript+"(document, document, document)"))
		return diff == ""
	})
}

// An HTML export shows the same rows, path and facts as the server.
func TestHTMLExport_SameViewAsServer(t *testing.T) {
	skipOutsideCI(t)
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	paths := map[string]string{"forked": box.WriteSession(f.File)}
	views := map[string][]string{"forked": {
		"", "entry=" + f.oneTip, "entry=" + f.mid + "&leaf=" + f.oneTip, "entry=" + f.two, "open=" + f.one, "open=-" + f.one + "&entry=" + f.one,
		"open=" + f.one + "," + f.inner, "q=library", "q=the+cache", "leaf=none", "q=nothing+such",
	}}
	for _, name := range []string{"pi/kitchen-sink", "pi/branch-at-every-level", "pi/custom-entries", "pi/labels-off-path", "pi/compaction-per-branch", "pi/filter-rehang"} {
		data, err := os.ReadFile(filepath.Join(harness.SourceRoot(t), "testdata", name, "input.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		paths[name] = filepath.Join(box.Dir, "--x--", filepath.Base(name)+".jsonl")
		box.WriteFile(paths[name], data)
		views[name] = []string{""}
	}
	for _, name := range []string{"dialects/omp18-summaries", "dialects/omp18-hidden-types"} {
		paths[name], views[name] = filepath.Join(harness.SourceRoot(t), "testdata", name, "input.jsonl"), []string{""}
	}
	paths["wave"], views["wave"] = filepath.Join(harness.SourceRoot(t), "testdata", "wave", "forms", "compaction.jsonl"), []string{""}
	paths["claude"] = filepath.Join(harness.SourceRoot(t), "testdata", "claude", "project", "11111111-0000-4000-8000-000000000001.jsonl")
	views["claude"] = []string{"", "entry=a2", "q=look+at+what"}
	// Compare with the embedded session file, because its labels have new lines.
	snapshots, pages := harness.NewSessionDir(t), map[string]string{}
	for name, path := range paths {
		pages[name] = exportHTML(t, path, "--redact", "none")
		paths[name] = filepath.Join(snapshots.Dir, strings.ReplaceAll(name, "/", "-")+".jsonl")
		runExplorer(t, "export", strings.TrimPrefix(pages[name], "file://"), "-o", paths[name])
	}
	server := harness.StartServer(t, snapshots.Dir)
	for name, path := range paths {
		t.Run(name, func(t *testing.T) {
			live, page := sharedBrowser(t).NewPage(t), sharedBrowser(t).NewPage(t)
			page.SetWindowSize(1440, 6000) // all rows at once
			live.Open(server.SessionURL(path))
			openOffline(page, pages[name])
			for _, view := range views[name] {
				for _, filter := range []string{"default", "no-tools", "user-only", "labeled-only", "failed", "all"} {
					query := strings.Trim(view+"&filter="+filter, "&")
					page.RunScript(`location.hash = ` + strconv.Quote("?"+query))
					waitForView(t, page, query, servedView(live, query))
				}
			}
		})
	}
}
