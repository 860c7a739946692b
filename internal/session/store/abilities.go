package store

import (
	"fmt"
	"io/fs"
	"os"

	"sessiontree/internal/session"
)

// Abilities is what can be done to the session now. The reasons are for people.
func (s *Session) Abilities() session.Capabilities {
	s.mu.RLock()
	header := s.tree.Header()
	s.mu.RUnlock()
	return s.abilities(header)
}

func (s *Session) abilities(header session.Header) session.Capabilities {
	f := s.Format()
	none := session.Ability{Reason: "Sessions of " + f.Title + " cannot be changed."}
	can := session.Capabilities{Label: none, Name: none, Branch: none, Copy: none, Fork: none, Migrate: none}
	if f.Can != nil {
		can = f.Can(header)
	}
	can.Export.Reason = unmade(f)
	if why := s.lib.forbidden(); why != "" {
		deny(why, &can.Label, &can.Name, &can.Branch, &can.Copy, &can.Fork, &can.Migrate)
		return can
	}
	inFile := []*session.Ability{&can.Label, &can.Name, &can.Branch, &can.Copy, &can.Migrate}
	info, err := s.at.stat()
	switch {
	case err != nil:
		deny(fmt.Sprintf("The file cannot be read: %v.", reason(err)), append(inFile, &can.Fork)...)
	case s.sealed(info) != "":
		deny(s.sealed(info), inFile...)
	case f.Holds:
		s.whileHeld(f, info, &can)
	}
	for _, a := range inFile {
		if a.Aside && s.lib.asides == nil {
			deny("The file cannot hold it, and there is no state directory to keep it in.", a)
		}
	}
	return can
}

// unmade is why no session files of a format are made, "" when they are.
func unmade(f *session.Format) string {
	if f.Extract != nil {
		return ""
	}
	return fmt.Sprintf("No file in the format of %s is made any more: export Markdown.", f.Title)
}

// whileHeld takes in what a running agent that keeps its file open forbids. Where
// that cannot be told, labels and names go to the sidecar, because the agent may
// write the file anew.
func (s *Session) whileHeld(f *session.Format, info fs.FileInfo, can *session.Capabilities) {
	pid, known := s.holder(info)
	appends := []*session.Ability{&can.Branch, &can.Copy, &can.Migrate}
	for _, a := range []*session.Ability{&can.Label, &can.Name} {
		if !a.Aside {
			appends = append(appends, a)
		}
	}
	switch {
	case !known:
		can.Label.Aside, can.Name.Aside = true, true
	case pid != 0:
		deny(heldBy(f, pid), appends...)
	}
}

func heldBy(f *session.Format, pid int) string {
	return fmt.Sprintf("%s (process %d) has this session open and would lose the change. Close it there first.", f.Title, pid)
}

// deny gives a reason to the abilities that have none yet.
func deny(why string, abilities ...*session.Ability) {
	for _, a := range abilities {
		if a.Reason == "" {
			a.Reason = why
		}
	}
}

// forbidden is why this program changes no session at all, "" when it may.
func (l *Library) forbidden() string {
	if l.readOnly {
		return "The explorer was started read-only."
	}
	return unwritable
}

// sealed is why a file may not be appended to, "" when it may. The mode binds
// root too: it says that the file is meant to stay as it is.
func (s *Session) sealed(info fs.FileInfo) string {
	if why := s.lib.forbidden(); why != "" {
		return why
	}
	if info.Mode().Perm()&0o222 == 0 {
		return "The file is read-only."
	}
	return ""
}

// stat looks at the file through its root.
func (at place) stat() (fs.FileInfo, error) {
	dir, err := os.OpenRoot(at.dir)
	if err != nil {
		return nil, at.failed(err)
	}
	defer dir.Close()
	info, err := dir.Stat(at.rel)
	if err != nil {
		return nil, at.failed(err)
	}
	return info, nil
}

// of answers the ability that an edit needs.
func of(can *session.Capabilities, op session.Op) session.Ability {
	switch op {
	case session.OpLabel:
		return can.Label
	case session.OpName:
		return can.Name
	case session.OpCopy:
		return can.Copy
	}
	return can.Branch
}
