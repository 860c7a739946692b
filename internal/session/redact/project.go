package redact

import "strings"

// Names is the class of a project's directory. Only NewProject finds it.
const Names = "names"

// Kinds of that class.
const (
	kindProject     = "project directory"
	kindProjectSlug = "project name"
)

// NewProject makes rules that find nothing but the directory of a project, also as
// agents write it in the names of their directories.
func NewProject(dir string) *Rules {
	r := &Rules{}
	dir = strings.TrimRight(dir, `/\`)
	all := []string{}
	if len(dir) > 1 {
		all = append(all, strings.ToLower(dir))
		r.uses = append(r.uses, []use{{look: lookForDir(dir, kindProject)}})
		if slug := slugOf(dir); slug != dir {
			all = append(all, strings.ToLower(slug))
			r.uses = append(r.uses, []use{{look: lookForDir(slug, kindProjectSlug)}})
		}
	}
	r.words = newWords(all)
	return r
}

// lookForDir looks for a directory, but not for one whose name only begins so.
func lookForDir(dir, kind string) look {
	return func(text string, end int) (f Finding, ok bool) {
		start := end - len(dir)
		before, after := text[:start], text[end:]
		if text[start:end] != dir || before != "" && wordByte(before[len(before)-1]) && !escaped(text, start) ||
			after != "" && (wordByte(after[0]) || after[0] == '-' && kind == kindProject) {
			return f, false
		}
		return Finding{Kind: kind, Start: start, End: end, Class: Names}, true
	}
}
