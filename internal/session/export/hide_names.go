package export

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/redact"
)

// Names are the current and earlier names of a session and the directory of its project.
type Names struct {
	Project  string
	Sessions []string
}

// FindNames returns the names of a session.
func FindNames(t *session.Tree) Names {
	h := t.Header()
	n := Names{Project: h.Cwd}
	add := func(name string) {
		if name != "" && !slices.Contains(n.Sessions, name) {
			n.Sessions = append(n.Sessions, name)
		}
	}
	add(h.Name)
	for p := range session.Pos(t.Len()) {
		if e := t.At(p); e.Kind == session.KindName {
			add(e.SessionName())
		}
	}
	return n
}

// hiddenName replaces the name of a session.
const hiddenName = "Shared session"

// HideNames makes the options replace the names of the session and the directory of its
// project.
func (o *Options) HideNames(n Names) {
	h := &nameHider{next: o.Redactor, project: redact.NewProjectRules(n.Project), names: n.Sessions}
	for _, name := range n.Sessions {
		text, _ := json.Marshal(name)
		var plain bytes.Buffer
		e := json.NewEncoder(&plain)
		e.SetEscapeHTML(false)
		_ = e.Encode(name) // strings can be encoded
		h.titles = append(h.titles, titlePattern(text), titlePattern(bytes.TrimSpace(plain.Bytes())))
	}
	o.Redactor = h
	o.Classes = maps.Clone(o.Classes)
	if o.Classes == nil {
		o.Classes = map[string]bool{}
	}
	o.Classes[redact.ClassNames] = true
}

// titlePattern matches a name as the value of a JSON member for names.
func titlePattern(quoted []byte) *regexp.Regexp {
	return regexp.MustCompile(`("[A-Za-z]*(?i:name|title|summary)"\s*:\s*)` + regexp.QuoteMeta(string(quoted)))
}

// nameHider is a Redactor that replaces names before it calls another one. It does not
// count them, because they are no findings.
type nameHider struct {
	next    Redactor // nil replaces nothing
	project *redact.Rules
	names   []string
	titles  []*regexp.Regexp
}

var onlyNames = map[string]bool{redact.ClassNames: true}

// RedactText redacts a text.
func (h *nameHider) RedactText(text string, which map[string]bool) (out string, counts map[string]int) {
	if slices.Contains(h.names, text) {
		text = hiddenName
	}
	text, _ = h.project.RedactText(text, onlyNames)
	if h.next == nil {
		return text, nil
	}
	return h.next.RedactText(text, which)
}

// RedactJSON redacts the strings of a JSON object.
func (h *nameHider) RedactJSON(line []byte, which map[string]bool) (out []byte, changed bool, counts map[string]int, err error) {
	out, changed, _, err = h.project.RedactJSON(line, onlyNames)
	if err != nil {
		return nil, false, nil, err
	}
	if !changed {
		out = line
	}
	for _, title := range h.titles {
		if title.Match(out) {
			out, changed = title.ReplaceAll(out, []byte(`${1}"`+hiddenName+`"`)), true
		}
	}
	if h.next == nil {
		return out, changed, nil, nil
	}
	more, changedMore, counts, err := h.next.RedactJSON(out, which)
	if err != nil || changedMore {
		return more, changedMore, counts, err
	}
	return out, changed, counts, nil
}

// FindValues lists the values in a JSON object that could be replaced, without names.
func (h *nameHider) FindValues(line []byte) ([]redact.Value, error) {
	if h.next == nil {
		return nil, nil
	}
	return h.next.FindValues(line)
}
