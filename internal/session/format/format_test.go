package format_test

import (
	"os"
	"path/filepath"
	"testing"

	"sessiontree/internal/session/format"
	"sessiontree/internal/session/sessiontest"
)

// TestFormats checks that every format recognizes its own session files.
func TestFormats(t *testing.T) {
	read := map[string]int{}
	for _, pattern := range []string{"pi/*/*.jsonl", "dialects/*/*.jsonl", "claude/project/*.jsonl", "wave/*/*.jsonl", "wave/*/*.json"} {
		files, err := filepath.Glob(filepath.Join("../../../testdata", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			file, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range format.All {
				if f.Sniff(file[:min(len(file), 64<<10)]) {
					read[f.Name]++
					t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) { sessiontest.RunFormat(t, f, file) })
					break
				}
			}
		}
	}
	for _, f := range format.All {
		if read[f.Name] == 0 {
			t.Errorf("no file of format %s was read", f.Name)
		}
	}
}

func TestDirs(t *testing.T) {
	for _, c := range []struct {
		name string
		env  map[string]string
		want []string
	}{
		{"by default", nil, []string{"/home/me/.pi/agent/sessions", "/home/me/.omp/agent/sessions", "/home/me/.claude/projects", "/home/me/.wave/projects"}},
		{"moved", map[string]string{"PI_CODING_AGENT_DIR": "~/agent", "OMP_CODING_AGENT_DIR": "~/omp"},
			[]string{"/home/me/agent/sessions", "~/omp/sessions", "/home/me/.claude/projects", "/home/me/.wave/projects"}},
		{"beside", map[string]string{"PI_CODING_AGENT_SESSION_DIR": "/s", "XDG_DATA_HOME": "/data", "CLAUDE_CONFIG_DIR": "/c"},
			[]string{"/home/me/.pi/agent/sessions", "/s", "/home/me/.omp/agent/sessions", "/data/omp/sessions", "/c/projects", "/home/me/.wave/projects"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := format.SessionDirs("/home/me", func(key string) string { return c.env[key] })
			if len(got) != len(c.want) {
				t.Fatalf("Dirs = %v, want %v", got, c.want)
			}
			for i := range got {
				if filepath.ToSlash(got[i]) != c.want[i] {
					t.Errorf("Dirs[%d] = %s, want %s", i, got[i], c.want[i])
				}
			}
		})
	}
	if got := format.SessionDirs("", func(string) string { return "" }); len(got) != 0 {
		t.Errorf("Dirs without a home = %v", got)
	}
}
