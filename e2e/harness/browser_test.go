//go:build e2e

package harness

import (
	"os"
	"path/filepath"
	"testing"
)

// A Chromium that crashes while it starts is started again.
func TestNewBrowser_CrashAtStart(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "chromium")
	crashed := filepath.Join(dir, "crashed")
	if err := os.WriteFile(script, []byte(`#!/bin/sh
[ -e "$CRASHED" ] || { : >"$CRASHED"; kill -SEGV $$; }
exec "$REAL_CHROMIUM" "$@"
`), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("REAL_CHROMIUM", chromiumPath())
	t.Setenv("CRASHED", crashed)
	t.Setenv("CHROMIUM", script)
	browser := NewBrowser(t)
	defer browser.Close()
	if got := EvalScript[int](browser.NewPage(t), `1 + 1`); got != 2 {
		t.Errorf("a script returned %d, want 2", got)
	}
	if _, err := os.Stat(crashed); err != nil {
		t.Errorf("Chromium has not crashed: %v", err)
	}
}
