package static_test

import (
	"os/exec"
	"strings"
	"testing"
)

// A row that has not changed is sent without content: its state still comes from its attributes,
// its link from before. Elapsed times count by the server's clock.
func TestNowScripts(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node")
	}
	cmd := exec.Command(node, "--input-type=module", "-e", `
		globalThis.document = { getElementById: () => null, querySelector: () => null, querySelectorAll: () => [], addEventListener() {} };
		globalThis.window = globalThis;
		globalThis.HTMLElement = class {};
		globalThis.matchMedia = () => ({ matches: false, addEventListener() {} });
		const { readSessions } = await import('./js/now/changes.js');
		const { serverTime, setServerTime } = await import('./js/elapsed.js');
		const row = Object.assign(new HTMLElement(), { dataset: { key: 'k', title: 'New', state: 'waits', failures: '3' }, firstElementChild: null });
		const list = { querySelectorAll: () => [row] };
		const before = new Map([['k', { key: 'k', title: 'Old', state: 'working', failures: 0, href: '/s', why: 'w' }]]);
		console.log(JSON.stringify(readSessions(list, before).get('k')));
		setServerTime(Date.now() + 3_600_000);
		console.log(Math.round((serverTime() - Date.now()) / 60_000));`)
	out, err := cmd.CombinedOutput()
	want := `{"key":"k","title":"New","state":"waits","failures":3,"href":"/s","why":"w"}` + "\n60"
	if got := strings.TrimSpace(string(out)); err != nil || got != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}
