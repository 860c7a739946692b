// Command gen writes NOTICE: the third-party software in the program on all systems, with
// its licenses.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) != 3 {
		exitWithError(errors.New("usage: gen ROOT FILE"))
	}
	text, err := buildNotice(os.Args[1])
	if err == nil {
		err = os.WriteFile(os.Args[2], text, 0o644)
	}
	if err != nil {
		exitWithError(err)
	}
}

func exitWithError(err error) {
	fmt.Fprintln(os.Stderr, "gen:", err)
	os.Exit(1)
}

// targetSystems are the systems whose builds the notice covers. Some parts are in only
// one.
var targetSystems = []string{"linux", "darwin", "windows"}

// vendoredParts are parts that are not modules, with their license files.
var vendoredParts = []part{
	{name: "Go (standard library and runtime)", files: []string{"internal/licenses/gen/go.LICENSE"}},
	{name: "gitleaks (rules that find secrets)", files: []string{"internal/session/redact/rules/gitleaks.LICENSE"}},
	{name: "idiomorph", files: []string{"web/static/vendor/idiomorph.LICENSE"}},
}

// part is a third-party part and its license files.
type part struct {
	name, version string
	files         []string
}

// buildNotice returns the text for the module at root.
func buildNotice(root string) ([]byte, error) {
	parts, err := listModules(root)
	if err != nil {
		return nil, err
	}
	for _, c := range vendoredParts {
		parts = append(parts, part{name: c.name, files: []string{filepath.Join(root, c.files[0])}})
	}
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.name, b.name) })
	var b bytes.Buffer
	b.WriteString("The session tree explorer is made with the following software. Each part is under its own license.\n")
	for _, p := range parts {
		if err := p.writePart(&b); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

func (p *part) writePart(w io.Writer) error {
	if len(p.files) == 0 {
		return fmt.Errorf("%s has no file with a license", p.name)
	}
	fmt.Fprintf(w, "\n%s\n%s\n", strings.Repeat("=", 78), strings.TrimSpace(p.name+" "+p.version))
	var seen [][]byte
	for _, file := range p.files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		text = bytes.TrimSpace(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
		if slices.ContainsFunc(seen, func(other []byte) bool { return bytes.Equal(text, other) }) {
			continue // a package repeats its module's license
		}
		seen = append(seen, text)
		fmt.Fprintf(w, "\n%s\n", text)
	}
	return nil
}

// pkg is the output of go list for a package.
type pkg struct {
	Dir    string
	Module *struct {
		Path, Version, Dir string
		Main               bool
	}
}

// listModules returns the modules that the program is built from.
func listModules(root string) ([]part, error) {
	found := map[string]*part{}
	for _, system := range targetSystems {
		out, err := runGo(root, []string{"GOOS=" + system, "CGO_ENABLED=0"}, "list", "-deps", "-json=Dir,Module", "./cmd/explorer")
		if err != nil {
			return nil, err
		}
		for d := json.NewDecoder(bytes.NewReader(out)); ; {
			var p pkg
			if err := d.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			if err := addLicenses(found, &p); err != nil {
				return nil, err
			}
		}
	}
	var parts []part
	for _, p := range found {
		slices.Sort(p.files)
		p.files = slices.Compact(p.files)
		slices.SortStableFunc(p.files, func(a, b string) int { return cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")) })
		parts = append(parts, *p)
	}
	return parts, nil
}

// addLicenses adds the licenses of a package: in its directory and its parents, up to the
// module's.
func addLicenses(found map[string]*part, p *pkg) error {
	if p.Module == nil || p.Module.Main {
		return nil
	}
	m := found[p.Module.Path]
	if m == nil {
		m = &part{name: p.Module.Path, version: p.Module.Version}
		found[p.Module.Path] = m
	}
	for dir := p.Dir; strings.HasPrefix(dir, p.Module.Dir); dir = filepath.Dir(dir) {
		files, err := licenseFiles(dir)
		if err != nil {
			return err
		}
		m.files = append(m.files, files...)
	}
	return nil
}

// licenseName matches the names of files with licenses and notices.
var licenseName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|copyright|patents|unlicense)([.-].*)?$`)

func licenseFiles(dir string) (files []string, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if e.Type() == fs.FileMode(0) && licenseName.MatchString(e.Name()) && filepath.Ext(e.Name()) != ".go" {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	return files, err
}

// runGo runs the go command in a directory.
func runGo(dir string, env []string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, fmt.Errorf("go %s: %w: %s", strings.Join(args, " "), err, exit.Stderr)
	}
	return out, err
}
