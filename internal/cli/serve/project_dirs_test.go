package serve

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheckFlags_projectDirs(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.Mkdir("project", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("file", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	o := NewOptions()
	o.listen, o.projectDirs = "127.0.0.1:0", []string{"project"}
	if err := o.CheckFlags(nil); err != nil || !filepath.IsAbs(o.projectDirs[0]) {
		t.Errorf("the directories are %q, %v", o.projectDirs, err)
	}
	for _, name := range []string{"file", "missing"} {
		o.projectDirs = []string{name}
		if err := o.CheckFlags(nil); err == nil || !strings.Contains(err.Error(), "--project-dir "+name) {
			t.Errorf("--project-dir %s: %v", name, err)
		}
	}
}
