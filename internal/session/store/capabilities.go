package store

import (
	"fmt"
	"io/fs"

	"sessiontree/internal/session"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/scan"
)

// Capabilities returns which changes of the session are possible now, and the reasons
// why others are not.
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
	if f.Write != nil {
		can = f.Write.Capabilities(header)
	}
	can.Export.Reason = f.NoExportReason()
	if why := s.lib.readOnlyReason(); why != "" {
		denyAbilities(why, &can.Label, &can.Name, &can.Branch, &can.Copy, &can.Fork, &can.Migrate)
		if s.lib.hub != nil {
			can.Label = session.Ability{InSidecar: true, Reason: s.lib.hub.NoLabel}
		}
		return can
	}
	inFile := []*session.Ability{&can.Label, &can.Name, &can.Branch, &can.Copy, &can.Migrate}
	info, err := s.at.StatFile()
	switch {
	case err != nil:
		denyAbilities(fmt.Sprintf("The file cannot be read: %v.", safefile.Reason(err)), append(inFile, &can.Fork)...)
	case scan.IsCopy(info):
		can.Label.InSidecar, can.Name.InSidecar = true, true
		denyAbilities(deletedFileText, &can.Branch, &can.Copy, &can.Migrate, &can.Fork)
	case s.appendRefusedReason(info) != "":
		denyAbilities(s.appendRefusedReason(info), inFile...)
	case f.Write != nil && f.Write.KeepsFileOpen:
		s.denyWhileOpen(f, info, &can)
	}
	for _, a := range inFile {
		if a.InSidecar && s.lib.sidecars == nil {
			denyAbilities("The file cannot hold it, and there is no state directory to store it in.", a)
		}
	}
	return can
}

// denyWhileOpen denies what a running agent that keeps its file open would overwrite.
// Where running agents cannot be detected, labels and names go to the sidecar.
func (s *Session) denyWhileOpen(f *session.Format, info fs.FileInfo, can *session.Capabilities) {
	pid, known := s.writers.Find(&s.lib.disk, s.at.Path, info)
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

// denyAbilities sets the reason of the abilities that have none yet.
func denyAbilities(why string, abilities ...*session.Ability) {
	for _, a := range abilities {
		if a.Reason == "" {
			a.Reason = why
		}
	}
}

// readOnlyReason returns why this program changes no sessions, "" if it does.
func (l *Library) readOnlyReason() string {
	if l.readOnly != "" {
		return l.readOnly
	}
	return unsupportedReason()
}

// appendRefusedReason returns why a file cannot be appended to, "" if it can. The mode
// applies to root too: it says that the file should not change.
func (s *Session) appendRefusedReason(info fs.FileInfo) string {
	if why := s.lib.readOnlyReason(); why != "" {
		return why
	}
	if scan.IsCopy(info) {
		return deletedFileText
	}
	if info.Mode().Perm()&0o222 == 0 {
		return "The file is read-only."
	}
	return ""
}

// abilityFor returns the ability that a change needs.
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
