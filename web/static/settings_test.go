package static_test

import (
	"os/exec"
	"strings"
	"testing"
)

// boot.js and settings.js set the same attributes of the root for what is stored.
func TestSettingsScripts(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node")
	}
	cmd := exec.Command(node, "--input-type=module", "-e", `
		import { readFileSync } from 'node:fs';
		const attributes = {}, saved = { theme: 'dark', 'text-size': 'large', density: 'compact', thinking: 'folded', 'single-keys': 'off' };
		globalThis.localStorage = { getItem: (key) => saved[key] ?? null };
		globalThis.location = { search: '' };
		globalThis.addEventListener = () => {};
		globalThis.document = {
			documentElement: { classList: { add() {} }, setAttribute: (name, value) => { attributes[name] = value; }, getAttribute: () => null },
			getElementById: () => null,
		};
		(0, eval)(readFileSync('js/boot.js', 'utf8'));
		console.log(JSON.stringify(attributes));
		for (const name of Object.keys(attributes)) delete attributes[name];
		const { applyRootAttributes, areLetterKeysOn } = await import('./js/settings.js');
		applyRootAttributes();
		console.log(JSON.stringify(attributes), areLetterKeysOn());`)
	out, err := cmd.CombinedOutput()
	const set = `{"data-theme":"dark","data-text-size":"large","data-density":"compact"}`
	if got := strings.TrimSpace(string(out)); err != nil || got != set+"\n"+set+" false" {
		t.Errorf("%v\n%s", err, got)
	}
}
