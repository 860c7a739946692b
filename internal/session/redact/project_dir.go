package redact

import "strings"

// ClassNames is the class of a project's directory. Only the rules of NewProjectRules find it.
const ClassNames = "names"

// Kinds of that class.
const (
	kindProject     = "project directory"
	kindProjectSlug = "project name"
)

// NewProjectRules returns rules that find only the directory of a project, also in the form that
// agents use in the names of their directories.
func NewProjectRules(dir string) *Rules {
	r := &Rules{}
	dir = strings.TrimRight(dir, `/\`)
	all := []string{}
	if len(dir) > 1 {
		all = append(all, strings.ToLower(dir))
		r.uses = append(r.uses, []wordUse{{look: findProjectDir(dir, kindProject)}})
		if slug := dirSlug(dir); slug != dir {
			all = append(all, strings.ToLower(slug))
			r.uses = append(r.uses, []wordUse{{look: findProjectDir(slug, kindProjectSlug)}})
		}
	}
	r.words = newWordMatcher(all)
	return r
}

// findProjectDir returns a finder of a directory, which skips directories whose names only begin
// with it.
func findProjectDir(dir, kind string) personalFinder {
	return func(text string, end int) (f Finding, ok bool) {
		start := end - len(dir)
		before, after := text[:start], text[end:]
		if text[start:end] != dir || before != "" && isWordByte(before[len(before)-1]) && !isEscapeTail(text, start) ||
			after != "" && (isWordByte(after[0]) || after[0] == '-' && kind == kindProject) {
			return f, false
		}
		return Finding{Kind: kind, Start: start, End: end, Class: ClassNames}, true
	}
}
