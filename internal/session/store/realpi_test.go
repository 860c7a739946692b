//go:build e2eagents

package store_test

import (
	"testing"

	"sessiontree/e2e/agents/pi/realpi"
	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// Whatever pi writes at the same time as the explorer, a pi that opens the file
// continues from its own last entry.
func TestRealPi_WritesMeanwhile(t *testing.T) {
	pis := realpi.InstalledVersions(t)
	for stage, repaired := range map[string]int{"encoded": 0, "checked": 1} {
		for name, c := range map[string]session.Change{"label": setLabel("a0", "x"), "name": {Op: session.OpName, Text: "x"}} {
			lib, s, path := changed(t, talk()...)
			lib.Pause(once(stage, func() { add(t, path, user("a4", "a3", "hm"), message("a5", "a4", "assistant", "said last")) }))
			if w, err := s.ApplyChange(ctx, c, store.Precondition{}); err != nil || w.Repaired != repaired {
				t.Fatalf("%s, the agent writes once it is %s: %+v, %v", name, stage, w, err)
			}
			for _, pi := range pis {
				v := pi.OpenFiles(t, path)[0]
				if v.Refused != "" || v.LastText() != "said last" || len(v.Messages) != 6 {
					t.Errorf("%s, the agent writes once it is %s: %s (%s) hears %+v", name, stage, pi.Name, v.Refused, v.Messages)
				}
				if c.Op == session.OpLabel && v.Labels["a0"] != "x" || c.Op == session.OpName && v.Name != "x" {
					t.Errorf("%s: %s sees the labels %v and the name %q", name, pi.Name, v.Labels, v.Name)
				}
			}
		}
	}
}
