package prose

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// sourceFile is a file that people wrote: its path from the root of the module and its text.
type sourceFile struct{ name, text string }

// sourceFiles returns the files that people read and change. It omits generated and
// third-party files, which are not written in our words.
func sourceFiles(t *testing.T) []sourceFile {
	t.Helper()
	all, err := readSourceFiles()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// readSourceFiles reads the files once for all tests.
var readSourceFiles = sync.OnceValues(func() ([]sourceFile, error) {
	const root = "../.."
	var all []sourceFile
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		name = filepath.ToSlash(name)
		if d.IsDir() {
			if name != "." && skipDir(name, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		if !slices.Contains([]string{".go", ".templ", ".js", ".css", ".md"}, filepath.Ext(name)) {
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f := sourceFile{name, string(b)}
		if !f.isGenerated() {
			all = append(all, f)
		}
		return nil
	})
	return all, err
})

func skipDir(name, base string) bool {
	return strings.HasPrefix(base, ".") || slices.Contains([]string{"testdata", "vendor", "bin", "node_modules"}, base) ||
		slices.Contains([]string{"e2e/shots", "e2e/failures", "internal/cli/serve/demo"}, name)
}

func (f sourceFile) isGenerated() bool {
	head, _, _ := strings.Cut(f.text, "\npackage ")
	return strings.HasSuffix(f.name, ".go") && strings.Contains(head, "// Code generated ") || f.name == "web/static/page/bundle.js" || strings.HasPrefix(f.name, "web/static/bundle/")
}

var (
	comment = regexp.MustCompile(`(?s)(?-s:(?:^|\s)//.*)|/\*.*?\*/|<!--.*?-->`)
	code    = regexp.MustCompile("(?s)```.*?```|`[^`]*`")
	marks   = regexp.MustCompile(`(?m)^[ \t]*(//|/?\*)`)
	notLine = regexp.MustCompile(`[^\n]`)
)

// prose returns the text for people in a file: the comments of code, a document without
// its code. Everything else is blank, so every line keeps its number.
func (f sourceFile) prose() string {
	switch filepath.Ext(f.name) {
	case ".md":
		return code.ReplaceAllStringFunc(f.text, blank)
	case ".go":
		return f.goComments()
	}
	return keepOnly(f.text, comment.FindAllStringIndex(f.text, -1))
}

// goComments returns the comments of a Go file. Strings may contain what looks like one.
func (f sourceFile) goComments() string {
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, f.name, f.text, parser.ParseComments)
	if err != nil {
		return f.text
	}
	var spans [][]int
	for _, group := range syntax.Comments {
		for _, c := range group.List {
			spans = append(spans, []int{fset.Position(c.Pos()).Offset, fset.Position(c.End()).Offset})
		}
	}
	return keepOnly(f.text, spans)
}

// keepOnly blanks everything outside the spans and the comment marks in them.
func keepOnly(text string, spans [][]int) string {
	var b strings.Builder
	end := 0
	for _, s := range spans {
		b.WriteString(blank(text[end:s[0]]))
		b.WriteString(text[s[0]:s[1]])
		end = s[1]
	}
	b.WriteString(blank(text[end:]))
	return marks.ReplaceAllStringFunc(b.String(), blank)
}

// blank replaces everything but line ends with spaces.
func blank(s string) string { return notLine.ReplaceAllString(s, " ") }

// functions returns the functions of the program by file, tests excluded.
func functions(t *testing.T) (all []*ast.FuncDecl, lines []int, files map[string]int) {
	t.Helper()
	f, err := parseFunctions()
	if err != nil {
		t.Fatal(err)
	}
	return f.all, f.lines, f.files
}

// sourceFunctions are the functions of the module, their lengths, and the lengths of files.
type sourceFunctions struct {
	all   []*ast.FuncDecl
	lines []int
	files map[string]int
}

// parseFunctions parses the files once for all tests.
var parseFunctions = sync.OnceValues(func() (*sourceFunctions, error) {
	sources, err := readSourceFiles()
	if err != nil {
		return nil, err
	}
	found := &sourceFunctions{files: map[string]int{}}
	for _, f := range sources {
		if !strings.HasSuffix(f.name, ".go") || strings.HasSuffix(f.name, "_test.go") {
			continue
		}
		found.files[f.name] = strings.Count(f.text, "\n")
		fset := token.NewFileSet()
		syntax, err := parser.ParseFile(fset, f.name, f.text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, decl := range syntax.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				found.all = append(found.all, fn)
				found.lines = append(found.lines, fset.Position(fn.End()).Line-fset.Position(fn.Pos()).Line+1)
			}
		}
	}
	return found, nil
})
