package export

import (
	"fmt"
	"strings"

	"sessiontree/internal/session"
)

// Left is what the part has that the file will not, for people; "" is nothing.
func (j *Job) Left() string {
	if j.file == nil {
		return ""
	}
	if j.o.Beside || j.o.As == HTML { // a page shows it
		return j.file.Left
	}
	return strings.TrimSpace(j.file.Left + " " + homeless(j.file.Aside, j.s.Format().Title))
}

// homeless says which labels and name a file cannot hold.
func homeless(a session.Aside, format string) string {
	var all []string
	if n := len(a.Labels); n > 0 {
		all = append(all, counting(n, "label", "labels"))
	}
	if a.Name != nil {
		all = append(all, "the name of the session")
	}
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("A file of %s has no place for %s.", format, strings.Join(all, " and for "))
}

// Aside is the labels and the name that the session file cannot hold, without what
// should not be told. Entries are called as in the file.
func (j *Job) Aside() session.Aside {
	a, _ := j.aside()
	return a
}

// aside is Aside, and how much was replaced in it.
func (j *Job) aside() (a session.Aside, replaced []Count) {
	if j.file == nil {
		return a, nil
	}
	c := j.clean()
	for _, l := range j.file.Aside.Labels {
		l.Text = c.text(l.Text)
		a.Labels = append(a.Labels, l)
	}
	if name := j.file.Aside.Name; name != nil {
		a.Name = &session.AsideName{Text: c.text(name.Text)}
	}
	return a, c.sum()
}
