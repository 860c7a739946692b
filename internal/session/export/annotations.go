package export

import (
	"fmt"
	"strings"

	"sessiontree/internal/session"
)

// Omitted is what the part has that the file will not, for people; "" is nothing.
func (j *Job) Omitted() string {
	if j.file == nil {
		return ""
	}
	if j.o.SidecarAnnotations || j.o.Kind == HTML { // a page shows it
		return j.file.LossWarning
	}
	return strings.TrimSpace(j.file.LossWarning + " " + unsupportedAnnotations(j.file.Annotations, j.s.Format().Title))
}

// unsupportedAnnotations says which labels and name a file cannot hold.
func unsupportedAnnotations(a session.Annotations, format string) string {
	var all []string
	if n := len(a.Labels); n > 0 {
		all = append(all, pluralize(n, "label", "labels"))
	}
	if a.Name != nil {
		all = append(all, "the name of the session")
	}
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("A file of %s has no place for %s.", format, strings.Join(all, " and for "))
}

// Annotations is the labels and the name that the session file cannot hold, without what
// should not be told. Entries are called as in the file.
func (j *Job) Annotations() session.Annotations {
	a, _ := j.redactAnnotations()
	return a
}

// redactAnnotations is Aside, and how much was replaced in it.
func (j *Job) redactAnnotations() (a session.Annotations, replaced []Count) {
	if j.file == nil {
		return a, nil
	}
	c := j.newCountingRedactor()
	for _, l := range j.file.Annotations.Labels {
		l.Text = c.redactText(l.Text)
		a.Labels = append(a.Labels, l)
	}
	if name := j.file.Annotations.Name; name != nil {
		a.Name = &session.NameAnnotation{Text: c.redactText(name.Text)}
	}
	return a, c.sortedCounts()
}
