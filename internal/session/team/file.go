package team

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// File is what is known of a pushed file.
type File struct {
	Path    string // in the archive
	Session string // path of the session file that it belongs to; its own path for that file
	Device  string // id
	Person  string // id of the owner
	Project string
	Format  string // name of a session format, "" for other files
	// Rules is the version of the redaction rules that were applied, "none" if none were.
	Rules      string
	Visibility Visibility
	Pushed     time.Time // when the last bytes came, may be up to Precision older
}

// Check returns an error if a name of the file cannot be stored as it is.
func (f *File) Check() error {
	for _, name := range []string{f.Path, f.Session, f.Device, f.Person, f.Project, f.Format, f.Rules} {
		if !utf8.ValidString(name) || strings.ContainsRune(name, 0) {
			return fmt.Errorf("%q is not a name that a hub can store: only UTF-8 without zero bytes is", name)
		}
	}
	return nil
}

// CanRead reports whether a person may read a file, with the rules of its project.
func CanRead(viewer string, f File, p Project) bool {
	switch {
	case viewer == f.Person:
		return true
	case f.Visibility == Default:
		return p.Visibility == Team
	}
	return f.Visibility == Team
}
