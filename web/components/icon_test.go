package components

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// iconName matches an icon in a template or a script by its name.
var iconName = regexp.MustCompile(`@icon\("([a-z-]+)"|icon: '([a-z-]+)'|icon--([a-z-]+)`)

// Each icon that a template, a script or a model names is drawn.
func TestIcons_areDrawn(t *testing.T) {
	t.Parallel()
	names := slices.Concat(slices.Collect(maps.Values(toolIcons)), slices.Collect(maps.Values(noteIcons)), []string{toolIcon(ToolModel{Err: true}), toolIcon(ToolModel{Server: "x"}), ToolIcon("")})
	for _, pattern := range []string{"*.templ", "../static/js/*/*.js"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) < 10 {
			t.Fatalf("%d files like %s: %v", len(files), pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range iconName.FindAllStringSubmatch(string(text), -1) {
				names = append(names, m[1]+m[2]+m[3])
			}
		}
	}
	if len(names) < 100 {
		t.Errorf("only %d names of icons", len(names))
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if iconShapes[name] == "" {
			t.Errorf("the icon %q is not in icons.css", name)
		}
	}
	empty := regexp.MustCompile(`<svg class="(icon [^"]*)"[^>]*></svg>`)
	for name, c := range fixtures() {
		if m := empty.FindStringSubmatch(render(t, c)); m != nil {
			t.Errorf("%s: %q is empty", name, m[1])
		}
	}
}
