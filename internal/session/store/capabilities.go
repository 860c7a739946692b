package store

import (
	"fmt"
	"io/fs"
	"os"

	"sessiontree/internal/session"
)

// Capabilities is what can be done to the session now. The reasons are for people.
func (s *Session) Capabilities() session.Capabilities {
	s.mu.RLock()
	header := s.tree.Header()
	s.mu.RUnlock()
	return s.capabilitiesFor(header)
}

func (s *Session) capabilitiesFor(header session.Header) session.Capabilities {
	f := s.Format()
	none := session.Ability{Reason: "Sessions of " + f.Title + " cannot be changed."}
	can := session.Capabilities{Label: none, Name: none, Branch: none, Copy: none, Fork: none, Migrate: none}
	if f.Capabilities != nil {
		can = f.Capabilities(header)
	}
	can.Export.Reason = noExportReason(f)
	if why := s.lib.readOnlyReason(); why != "" {
		denyAbilities(why, &can.Label, &can.Name, &can.Branch, &can.Copy, &can.Fork, &can.Migrate)
		return can
	}
	inFile := []*session.Ability{&can.Label, &can.Name, &can.Branch, &can.Copy, &can.Migrate}
	info, err := s.at.statFile()
	switch {
	case err != nil:
		denyAbilities(fmt.Sprintf("The file cannot be read: %v.", systemReason(err)), append(inFile, &can.Fork)...)
	case s.appendRefusedReason(info) != "":
		denyAbilities(s.appendRefusedReason(info), inFile...)
	case f.KeepsFileOpen:
		s.denyWhileOpen(f, info, &can)
	}
	for _, a := range inFile {
		if a.InSidecar && s.lib.sidecars == nil {
			denyAbilities("The file cannot hold it, and there is no state directory to store it in.", a)
		}
	}
	return can
}

// noExportReason is why no session files of a format are made, "" when they are.
func noExportReason(f *session.Format) string {
	if f.Extract != nil {
		return ""
	}
	return fmt.Sprintf("Files in the format of %s can no longer be created: export Markdown.", f.Title)
}

// denyWhileOpen takes in what a running agent that keeps its file open forbids. Where
// that cannot be told, labels and names go to the sidecar, because the agent may
// write the file anew.
func (s *Session) denyWhileOpen(f *session.Format, info fs.FileInfo, can *session.Capabilities) {
	pid, known := s.cachedWriterProcess(info)
	appends := []*session.Ability{&can.Branch, &can.Copy, &can.Migrate}
	for _, a := range []*session.Ability{&can.Label, &can.Name} {
		if !a.InSidecar {
			appends = append(appends, a)
		}
	}
	switch {
	case !known:
		can.Label.InSidecar, can.Name.InSidecar = true, true
	case pid != 0:
		denyAbilities(openInAgentText(f, pid), appends...)
	}
}

func openInAgentText(f *session.Format, pid int) string {
	return fmt.Sprintf("%s (process %d) has this session open and would lose the change. Close it there first.", f.Title, pid)
}

// denyAbilities gives a reason to the abilities that have none yet.
func denyAbilities(why string, abilities ...*session.Ability) {
	for _, a := range abilities {
		if a.Reason == "" {
			a.Reason = why
		}
	}
}

// readOnlyReason is why this program changes no session at all, "" when it may.
func (l *Library) readOnlyReason() string {
	if l.readOnly {
		return "The explorer was started read-only."
	}
	return unsupportedReason
}

// appendRefusedReason is why a file may not be appended to, "" when it may. The mode binds
// root too: it says that the file is meant to stay as it is.
func (s *Session) appendRefusedReason(info fs.FileInfo) string {
	if why := s.lib.readOnlyReason(); why != "" {
		return why
	}
	if info.Mode().Perm()&0o222 == 0 {
		return "The file is read-only."
	}
	return ""
}

// statFile looks at the file through its root.
func (at place) statFile() (fs.FileInfo, error) {
	dir, err := os.OpenRoot(at.dir)
	if err != nil {
		return nil, at.pathError(err)
	}
	defer dir.Close()
	info, err := dir.Stat(at.rel)
	if err != nil {
		return nil, at.pathError(err)
	}
	return info, nil
}

// abilityFor answers the ability that an edit needs.
func abilityFor(can *session.Capabilities, op session.Op) session.Ability {
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
