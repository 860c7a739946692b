package format

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestDirs(t *testing.T) {
	home := t.TempDir()
	for _, dir := range []string{".omp/profiles/work/agent/sessions", ".omp/profiles/old/sessions", ".omp/profiles/empty"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	work, old := filepath.Join(home, ".omp/profiles/work/agent/sessions"), filepath.Join(home, ".omp/profiles/old/sessions")
	tests := []struct {
		name string
		home string
		env  map[string]string
		want []string
	}{
		{"nothing set", home, nil, []string{home + "/.pi/agent/sessions", home + "/.omp/agent/sessions", work, old, home + "/.claude/projects", home + "/.wave/projects"}},
		{"moved", home, map[string]string{"PI_CODING_AGENT_DIR": "~/pi", "OMP_CODING_AGENT_DIR": "/omp", "XDG_DATA_HOME": "/data", "PI_CODING_AGENT_SESSION_DIR": "/flat"},
			[]string{home + "/pi/sessions", "/flat", "/omp/sessions", "/data/omp/sessions", work, old, home + "/.claude/projects", home + "/.wave/projects"}},
		{"no home", "", map[string]string{"XDG_DATA_HOME": "/data"}, []string{"/data/omp/sessions"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := SessionDirs(tt.home, func(name string) string { return tt.env[name] })
			if !slices.Equal(got, tt.want) {
				t.Errorf("Dirs = %q, want %q", got, tt.want)
			}
		})
	}
}
