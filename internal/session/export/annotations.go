package export

import (
	"fmt"
	"strings"

	"sessiontree/internal/session"
)

// Omitted describes for people what the file will not contain, "" if nothing.
func (j *Job) Omitted() string {
	if j.file == nil {
		return ""
	}
	if j.o.SidecarAnnotations || j.o.Kind == HTML { // an HTML page shows annotations
		return j.file.LossWarning
	}
	return strings.TrimSpace(j.file.LossWarning + " " + unsupportedAnnotations(j.file.Annotations, j.s.Format().Title))
}

// unsupportedAnnotations describes the labels and the name that a file of format cannot
// hold.
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

// Annotations returns the labels and the name that the session file cannot hold,
// redacted. Entry ids are those of the file.
func (j *Job) Annotations() session.Annotations {
	a, _ := j.redactAnnotations()
	return a
}

// redactAnnotations is Annotations with the counts of replaced values.
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
