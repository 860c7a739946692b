package prose

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	quotedName = regexp.MustCompile("`([\\w*./-]+)`")
	quotedMake = regexp.MustCompile("`make ([a-z0-9-]+)")
	makeTarget = regexp.MustCompile(`(?m)^([a-z0-9-]+):`)
)

// Files, directories and make targets that the documents for developers name exist. A
// name may leave out the directories that are clear from the context.
func TestDocuments_namesExist(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	targets := []string{}
	for _, m := range makeTarget.FindAllStringSubmatch(string(b), -1) {
		targets = append(targets, m[1])
	}
	paths := repositoryPaths(t)
	for _, f := range sourceFiles(t) {
		if !slices.Contains([]string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/formats.md", "docs/hooks.md"}, f.name) {
			continue
		}
		for _, m := range quotedMake.FindAllStringSubmatch(f.text, -1) {
			if !slices.Contains(targets, m[1]) {
				t.Errorf("%s: the Makefile has no target %s", f.name, m[1])
			}
		}
		for _, m := range quotedName.FindAllStringSubmatch(f.text, -1) {
			if isSourceName(m[1]) && !hasPath(paths, m[1]) {
				t.Errorf("%s: there is no %s", f.name, m[1])
			}
		}
	}
}

// isSourceName reports whether a document means a file or directory of the source.
func isSourceName(name string) bool {
	top, _, deep := strings.Cut(name, "/")
	if deep && slices.Contains([]string{"cmd", "internal", "web", "e2e", "testdata", "docs"}, top) {
		return top != "e2e" || !strings.HasPrefix(name, "e2e/failures") && !strings.HasPrefix(name, "e2e/shots")
	}
	return slices.Contains([]string{".go", ".templ", ".css"}, path.Ext(name))
}

// repositoryPaths lists all files and directories, each with a slash before it.
func repositoryPaths(t *testing.T) (all []string) {
	t.Helper()
	const root = "../.."
	err := filepath.WalkDir(root, func(file string, d os.DirEntry, err error) error {
		if err == nil {
			name, _ := filepath.Rel(root, file)
			all = append(all, "/"+filepath.ToSlash(name))
			if d.IsDir() && strings.HasPrefix(d.Name(), ".") && name != "." {
				return filepath.SkipDir
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// hasPath reports whether a path ends with a name, in which * is any text without a slash.
func hasPath(paths []string, name string) bool {
	pattern := "/" + strings.TrimSuffix(name, "/")
	depth := strings.Count(pattern, "/")
	return slices.ContainsFunc(paths, func(p string) bool {
		parts := strings.Split(p, "/")
		if len(parts) <= depth {
			return false
		}
		ok, _ := path.Match(pattern, "/"+strings.Join(parts[len(parts)-depth:], "/"))
		return ok
	})
}
