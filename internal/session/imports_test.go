package session_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "sessiontree/"

// mayImport lists the allowed imports within the module, except in tests.
// ARCHITECTURE.md says why.
var mayImport = map[string][]string{
	"internal/web/filespage":             {"internal/session", "internal/session/catalog", "internal/session/filediff", "internal/session/fileedits", "internal/session/filehistory", "internal/session/store", "internal/web/load", "internal/web/view", "internal/web/view/fileviews", "web/components"},
	"internal/web/view/fileviews":        {"internal/session", "internal/session/blame", "internal/session/branchlist", "internal/session/catalog", "internal/session/filediff", "internal/session/fileedits", "internal/session/filehistory", "internal/session/rowtext", "internal/web/view", "internal/web/view/index", "internal/web/view/path", "web/components"},
	"internal/session/blame":             {"internal/session/filediff"},
	"internal/session/fileedits":         {"internal/session", "internal/session/filediff", "internal/session/store", "internal/session/toolkind"},
	"internal/session/filehistory":       {"internal/session", "internal/session/blame", "internal/session/branchlist", "internal/session/catalog", "internal/session/filediff", "internal/session/fileedits", "internal/session/safefile", "internal/session/store"},
	"internal/session/activity":          {"internal/session", "internal/session/rowtext", "internal/session/toolkind"},
	"internal/session/bools":             {},
	"internal/session/blobs":             {"internal/session", "internal/session/roots"},
	"internal/session/spend":             {"internal/session", "internal/session/bools", "internal/session/prices", "internal/session/spill"},
	"internal/session/spill":             {},
	"internal/session/pathlock":          {},
	"internal/session/spend/report":      {"internal/session", "internal/session/catalog", "internal/session/prices", "internal/session/query", "internal/session/spend"},
	"internal/web/spendpage":             {"internal/session/catalog", "internal/session/spend/report", "internal/web/view", "internal/web/view/spend", "web/components"},
	"internal/web/keeppage":              {"internal/session", "internal/session/catalog", "internal/session/follow", "internal/session/keep", "internal/session/store", "internal/web/view", "internal/web/view/copies", "internal/web/view/index", "internal/web/visit", "web/components"},
	"internal/web/view/copies":           {"internal/session/catalog", "internal/session/keep", "internal/web/view", "internal/web/view/index", "web/components"},
	"internal/web/nowpage":               {"internal/session", "internal/session/catalog", "internal/session/follow", "internal/web/view", "internal/web/view/now", "web/components"},
	"internal/web/view/now":              {"internal/session", "internal/session/activity", "internal/session/catalog", "internal/session/toolkind", "internal/web/view", "internal/web/view/index", "web/components"},
	"internal/web/view/spend":            {"internal/session", "internal/session/catalog", "internal/session/query", "internal/session/spend", "internal/session/spend/report", "internal/web/view", "web/components"},
	"internal/session/prices":            {"internal/session"},
	"internal/session/query":             {"internal/session/search"},
	"internal/web/searchpage":            {"internal/session", "internal/session/query", "internal/session/searchall", "internal/session/visits", "internal/web/view", "internal/web/view/index", "internal/web/view/results", "web/components"},
	"internal/web/view/results":          {"internal/session/catalog", "internal/session/query", "internal/session/rowtext", "internal/session/searchall", "internal/session/toolkind", "internal/web/view", "internal/web/view/index", "web/components"},
	"internal/session/searchall":         {"internal/session", "internal/session/catalog", "internal/session/query", "internal/session/rowtext", "internal/session/search", "internal/session/store", "internal/session/textcache"},
	"internal/session/textcache":         {"internal/session/safefile"},
	"internal/session":                   {},
	"internal/session/jsonl":             {},
	"internal/session/rowtext":           {},
	"internal/session/pi":                {"internal/session", "internal/session/jsonl", "internal/session/pi/omp", "internal/session/pi/usage"},
	"internal/session/pi/omp":            {"internal/session", "internal/session/jsonl"},
	"internal/session/claude/sidefiles":  {"internal/session"},
	"internal/session/claude":            {"internal/session", "internal/session/bools", "internal/session/claude/attachment", "internal/session/claude/dag", "internal/session/claude/sidefiles", "internal/session/claude/toolresult", "internal/session/claude/turns", "internal/session/claude/usage", "internal/session/claude/usertext", "internal/session/jsonl", "internal/session/rowtext"},
	"internal/session/claude/attachment": {"internal/session", "internal/session/jsonl"},
	"internal/session/claude/dag":        {"internal/session"},
	"internal/session/claude/toolresult": {"internal/session", "internal/session/jsonl"},
	"internal/session/claude/turns":      {"internal/session"},
	"internal/session/claude/usertext":   {"internal/session/rowtext"},
	"internal/session/wave":              {"internal/session", "internal/session/jsonl", "internal/session/rowtext"},
	"internal/session/format":            {"internal/session", "internal/session/claude", "internal/session/pi", "internal/session/wave"},
	"internal/session/store":             {"internal/session", "internal/session/blobs", "internal/session/gather", "internal/session/ids", "internal/session/ownwrites", "internal/session/related", "internal/session/retracted", "internal/session/roots", "internal/session/safefile", "internal/session/scan", "internal/session/search", "internal/session/sidecar"},
	"internal/session/ownwrites":         {"internal/session/scan"},
	"internal/session/catalog":           {"internal/session", "internal/session/activity", "internal/session/bools", "internal/session/filediff", "internal/session/lanes", "internal/session/pathlock", "internal/session/prices", "internal/session/related", "internal/session/roots", "internal/session/rowtext", "internal/session/safefile", "internal/session/scan", "internal/session/spend", "internal/session/spill", "internal/session/store", "internal/session/toolkind"},
	"internal/session/watch":             {},
	"internal/session/redact":            {"internal/session/bools", "internal/session/jsonl", "internal/session/redact/regexpinfo", "internal/session/rowtext"},
	"internal/session/redact/regexpinfo": {},
	"internal/session/hook":              {"internal/session"},
	"internal/session/edit":              {"internal/session", "internal/session/hook", "internal/session/safefile", "internal/session/store"},
	"internal/session/export":            {"internal/session", "internal/session/ids", "internal/session/redact", "internal/session/rowtext", "internal/session/scan", "internal/session/store"},
	"internal/session/share":             {"internal/session", "internal/session/export", "internal/session/rowtext", "internal/session/safefile", "internal/session/store"},
	"internal/session/sessiontest":       {"internal/session", "internal/session/outline"},
	"internal/web/view":                  {"internal/session", "internal/session/outline", "internal/session/prices", "internal/session/rowtext", "internal/session/spend", "internal/session/toolkind", "web/components"},
	"internal/web/lru":                   {},
	"web/static/bundlegen":               {},
	"web/static/icongen":                 {},
	"internal/web/appshell":              {"web/components", "web/static"},
	"internal/web/compress":              {},
	"internal/web/health":                {"internal/session/catalog", "internal/session/store", "internal/web/auth", "internal/web/live"},
	"internal/web/qrcode":                {"web/components"},
	"internal/web":                       {"internal/heap", "internal/session", "internal/session/catalog", "internal/session/edit", "internal/session/export", "internal/session/filehistory", "internal/session/follow", "internal/session/hook", "internal/session/keep", "internal/session/modelcontext", "internal/session/outline", "internal/session/redact", "internal/session/rowtext", "internal/session/safefile", "internal/session/searchall", "internal/session/share", "internal/session/store", "internal/session/textcache", "internal/session/visits", "internal/web/appshell", "internal/web/auth", "internal/web/compress", "internal/web/filespage", "internal/web/finder", "internal/web/health", "internal/web/htmlexport", "internal/web/keeppage", "internal/web/live", "internal/web/load", "internal/web/lru", "internal/web/nowpage", "internal/web/qrcode", "internal/web/recorder", "internal/web/searchpage", "internal/web/spendpage", "internal/web/teampage", "internal/web/view", "internal/web/view/branchpanel", "internal/web/view/comparison", "internal/web/view/contextpanel", "internal/web/view/dialog", "internal/web/view/index", "internal/web/view/mapview", "internal/web/view/palette", "internal/web/view/path", "internal/web/view/tree", "internal/web/visit", "web/components", "web/static"},
	"web/components":                     {},
	"web/static":                         {},
	"internal/licenses":                  {},
	"internal/heap":                      {"internal/heap/startup"},
	"internal/heap/startup":              {},
	"internal/cli/terminal":              {"internal/session", "internal/session/outline", "internal/session/rowtext"},
	"internal/cli/statedir":              {"internal/cli/terminal", "internal/session/safefile"},
	"internal/cli/serve":                 {"internal/cli/memlimit", "internal/cli/statedir", "internal/cli/terminal", "internal/heap", "internal/session/catalog", "internal/session/filehistory", "internal/session/follow", "internal/session/format", "internal/session/hook", "internal/session/keep", "internal/session/redact", "internal/session/roots", "internal/session/safefile", "internal/session/searchall", "internal/session/share", "internal/session/store", "internal/session/textcache", "internal/session/visits", "internal/session/watch", "internal/web", "internal/web/auth", "internal/web/view"},
	"internal/cli":                       {"internal/cli/hub", "internal/cli/push", "internal/cli/serve", "internal/cli/statedir", "internal/cli/terminal", "internal/licenses", "internal/session", "internal/session/blame", "internal/session/catalog", "internal/session/compare", "internal/session/edit", "internal/session/export", "internal/session/filediff", "internal/session/fileedits", "internal/session/filehistory", "internal/session/format", "internal/session/hook", "internal/session/keep", "internal/session/modelcontext", "internal/session/outline", "internal/session/prices", "internal/session/query", "internal/session/redact", "internal/session/roots", "internal/session/rowtext", "internal/session/safefile", "internal/session/searchall", "internal/session/share", "internal/session/spend", "internal/session/spend/report", "internal/session/store", "internal/session/textcache", "internal/session/visits", "internal/web/htmlexport", "internal/web/view"},
	"cmd/explorer":                       {"internal/cli", "internal/heap/startup"},
	"internal/web/load":                  {"internal/session", "internal/session/filediff", "internal/session/fileedits", "internal/session/spend", "internal/session/store", "internal/web/view", "internal/web/view/comparison", "internal/web/view/path", "web/components"},
	"internal/web/htmlexport":            {"internal/session", "internal/session/export", "internal/session/outline", "internal/session/spend", "internal/session/store", "internal/web/load", "internal/web/view", "internal/web/view/path", "internal/web/view/tree", "web/components", "web/static"},
	"internal/session/safefile":          {},
	"internal/session/roots":             {"internal/session", "internal/session/safefile", "internal/session/scan"},
	"internal/session/scan":              {"internal/session", "internal/session/safefile"},
	"internal/session/sidecar":           {"internal/session", "internal/session/jsonl", "internal/session/roots", "internal/session/safefile"},
	"internal/session/search":            {"internal/session", "internal/session/scan"},
	"internal/web/view/tree":             {"internal/session", "internal/session/outline", "internal/session/rowtext", "internal/session/spend", "internal/session/toolkind", "internal/web/view", "web/components"},
	"internal/web/view/path/toolcards":   {"internal/session", "internal/session/rowtext", "internal/web/view", "web/components"},
	"internal/web/view/path":             {"internal/session", "internal/session/filediff", "internal/session/outline", "internal/session/rowtext", "internal/session/spend", "internal/session/toolkind", "internal/web/lru", "internal/web/view", "internal/web/view/path/toolcards", "web/components"},
	"internal/web/view/index":            {"internal/session", "internal/session/bools", "internal/session/catalog", "internal/session/rowtext", "internal/session/visits", "internal/web/view", "web/components"},
	"internal/web/view/dialog":           {"internal/session", "internal/session/export", "internal/session/rowtext", "internal/session/share", "internal/session/spend", "internal/web/view", "web/components"},
	"internal/web/viewtest":              {"internal/session", "internal/session/format", "internal/session/outline", "internal/session/store", "internal/web/view", "internal/web/view/path", "web/components"},
	"internal/session/follow":            {"internal/session", "internal/session/catalog", "internal/session/share", "internal/session/store"},
	"internal/web/auth":                  {},
	"internal/web/live":                  {"internal/session/follow", "internal/session/store", "web/static"},
	"internal/session/related":           {"internal/session", "internal/session/scan"},
	"internal/session/ids":               {"internal/session"},
	"internal/session/retracted":         {"internal/session", "internal/session/roots", "internal/session/safefile", "internal/session/scan"},
	"internal/session/gather":            {"internal/session", "internal/session/roots", "internal/session/scan"},
	"internal/session/outline":           {"internal/session"},
	"internal/session/claude/usage":      {"internal/session", "internal/session/jsonl"},
	"internal/session/pi/usage":          {"internal/session", "internal/session/jsonl"},
	"internal/session/branchlist":        {"internal/session", "internal/session/spend"},
	"internal/session/modelcontext":      {"internal/session", "internal/session/rowtext", "internal/session/store"},
	"internal/web/view/palette":          {"internal/session", "internal/session/catalog", "internal/session/rowtext", "internal/web/view", "internal/web/view/index"},
	"internal/web/view/contextpanel":     {"internal/session", "internal/session/modelcontext", "internal/session/rowtext", "internal/session/toolkind", "internal/web/view", "web/components"},
	"internal/session/lanes":             {},
	"internal/session/sessionmap":        {"internal/session", "internal/session/branchlist", "internal/session/lanes", "internal/session/spend"},
	"internal/web/view/mapview":          {"internal/session", "internal/session/branchlist", "internal/session/rowtext", "internal/session/sessionmap", "internal/web/view", "web/components"},
	"internal/web/view/branchpanel":      {"internal/session", "internal/session/branchlist", "internal/session/outline", "internal/session/spend", "internal/web/view", "web/components"},
	"internal/session/toolkind":          {},
	"internal/session/filediff":          {"internal/session", "internal/session/toolkind"},
	"internal/session/compare":           {"internal/session", "internal/session/filediff", "internal/session/spend"},
	"internal/web/view/comparison":       {"internal/session", "internal/session/compare", "internal/session/filediff", "internal/session/rowtext", "internal/session/toolkind", "internal/web/view", "internal/web/view/path", "web/components"},
	"internal/session/visits":            {"internal/session/catalog", "internal/session/jsonl", "internal/session/safefile"},
	"internal/web/visit":                 {"internal/session", "internal/session/catalog", "internal/session/store", "internal/session/visits"},
	"internal/web/finder":                {"internal/session", "internal/session/follow", "internal/session/query", "internal/session/searchall", "internal/session/store", "internal/session/toolkind", "internal/web/lru", "internal/web/view", "web/components"},

	"internal/session/archive":             {"internal/session/safefile"},
	"internal/session/archive/archivetest": {"internal/session/archive"},
	"internal/slowtest":                    {"internal/sampletest"},
	"internal/sampletest":                  {},
	"internal/session/team":                {"internal/session/safefile", "internal/session/scan"},
	"internal/session/team/teamtest":       {"internal/session/team"},
	"internal/session/archive/postgres":    {"internal/session/archive", "internal/session/team"},
	"internal/session/push/wire":           {"internal/session/archive"},
	"internal/session/keep":                {"internal/session", "internal/session/archive", "internal/session/blobs", "internal/session/pathlock", "internal/session/roots", "internal/session/safefile", "internal/session/scan"},
	"internal/cli/hub":                     {"internal/cli/memlimit", "internal/cli/statedir", "internal/heap", "internal/session/archive/postgres", "internal/session/format", "internal/session/hub", "internal/session/team", "internal/web/hub", "internal/web/oidclogin", "internal/web/teampage", "internal/web/view"},
	"internal/cli/memlimit":                {},
	"internal/cli/push":                    {"internal/cli/statedir", "internal/cli/terminal", "internal/heap", "internal/session/catalog", "internal/session/format", "internal/session/push", "internal/session/redact", "internal/session/store", "internal/session/watch"},
	"internal/session/hub":                 {"internal/session", "internal/session/archive", "internal/session/catalog", "internal/session/roots", "internal/session/safefile", "internal/session/sidecar", "internal/session/team", "internal/session/textcache"},
	"internal/session/push":                {"internal/session", "internal/session/archive", "internal/session/blobs", "internal/session/catalog", "internal/session/push/wire", "internal/session/roots", "internal/session/safefile", "internal/session/scan"},
	"internal/web/hub":                     {"internal/session", "internal/session/catalog", "internal/session/follow", "internal/session/hub", "internal/session/searchall", "internal/session/store", "internal/session/team", "internal/web", "internal/web/auth", "internal/web/hub/deviceapi", "internal/web/oidclogin", "internal/web/teampage", "internal/web/view", "internal/web/view/index"},
	"internal/web/hub/deviceapi":           {"internal/session/archive", "internal/session/push/wire", "internal/session/team", "internal/web/auth"},
	"internal/web/recorder":                {},
	"internal/web/oidclogin":               {},
	"internal/web/oidclogin/oidclogintest": {},
	"internal/web/teampage":                {"internal/session", "internal/session/catalog", "internal/session/follow", "internal/session/hub", "internal/session/team", "internal/web/auth", "internal/web/oidclogin", "internal/web/view", "internal/web/view/index", "internal/web/view/teamview", "web/components"},
	"internal/web/view/teamview":           {"internal/session/catalog", "internal/session/team", "internal/web/view", "internal/web/view/index", "web/components"},
}

// pkg is the output of go list for a package.
type pkg struct {
	ImportPath string
	Dir        string
	Imports    []string
}

func packages(t *testing.T) []pkg {
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,Imports", module+"internal/session/...", module+"internal/web/...",
		module+"internal/cli/...", module+"internal/heap/...", module+"internal/licenses", module+"web/...", module+"cmd/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return all
		case err != nil:
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func TestImports(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		allowed, known := mayImport[name]
		if !known {
			t.Errorf("%s is in no rule of mayImport", name)
		}
		for _, path := range p.Imports {
			if inside, ok := strings.CutPrefix(path, module); ok && !slices.Contains(allowed, inside) {
				t.Errorf("%s imports %s", name, inside)
			}
			if bad := forbidden(name, path); bad != "" {
				t.Errorf("%s imports %s: %s", name, path, bad)
			}
		}
		for _, inside := range allowed {
			if !slices.Contains(p.Imports, module+inside) {
				t.Errorf("%s may import %s, but does not", name, inside)
			}
		}
	}
}

// The bundler of scripts is a tool and not part of the program.
func TestNoBundlerInTheProgram(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-deps", module+"cmd/explorer").Output()
	if err != nil || len(out) == 0 {
		t.Fatal(err)
	}
	if strings.Contains(string(out), "esbuild") {
		t.Error("the program holds esbuild")
	}
}

// forbidden returns why a package may not import path, "" if it may.
func forbidden(name, path string) string {
	inside := strings.HasPrefix(path, module)
	switch {
	case !strings.HasPrefix(name, "internal/web") && name != "web/static" && name != "internal/session/push" && strings.HasPrefix(path, "net/http"):
		return "HTTP is internal/web's alone, except for the client that pushes sessions"
	case strings.HasPrefix(name+"/", "internal/web/view/") && slices.Contains([]string{"context", "os", "net/http"}, path):
		return "models are built from values alone, which internal/web/load reads"
	case name == "internal/session" && !inside && strings.Contains(strings.SplitN(path, "/", 2)[0], "."):
		return "the domain needs the standard library only"
	case name == "internal/session" && slices.Contains([]string{"os", "net", "path/filepath"}, path):
		return "the domain touches no files and no network"
	case name == "internal/heap/startup" && !slices.Contains([]string{"runtime", "syscall", "unsafe"}, path):
		return "it would be initialized after large packages"
	}
	return ""
}

// Outside the packages of the formats, no code names a format or checks which one it
// has.
func TestFormatsAreUnknownElsewhere(t *testing.T) {
	t.Parallel()
	names := []string{`"pi"`, `"omp"`, `"claude"`, `"wave"`}
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		if slices.Contains([]string{"internal/session/pi", "internal/session/claude", "internal/session/wave", "internal/session/format", "web/components"}, name) {
			continue
		}
		for file, syntax := range sources(t, p.Dir) {
			ast.Inspect(syntax, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BasicLit:
					if n.Kind == token.STRING && slices.Contains(names, n.Value) {
						t.Errorf("%s names the format %s", file, n.Value)
					}
				case *ast.BinaryExpr:
					if asksFormat(n.X) || asksFormat(n.Y) {
						t.Errorf("%s compares a format's name", file)
					}
				}
				return true
			})
		}
	}
}

// asksFormat reports whether x is a Header's format.
func asksFormat(x ast.Expr) bool {
	s, ok := x.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != "Format" {
		return false
	}
	call, ok := s.X.(*ast.CallExpr)
	if ok {
		fun, ok := call.Fun.(*ast.SelectorExpr)
		return ok && fun.Sel.Name == "Header"
	}
	id, ok := s.X.(*ast.Ident)
	return ok && (id.Name == "h" || id.Name == "header")
}

// The domain has no clock: what is shown depends on what was recorded.
func TestDomainHasNoClock(t *testing.T) {
	t.Parallel()
	for file, syntax := range sources(t, ".") {
		for _, i := range syntax.Imports {
			if path, _ := strconv.Unquote(i.Path.Value); path == "time" {
				t.Errorf("%s imports time", file)
			}
		}
	}
}

// sources parses the files of a directory, except tests.
func sources(t *testing.T, dir string) map[string]*ast.File {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*ast.File{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		all[file] = syntax
	}
	return all
}
