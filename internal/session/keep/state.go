package keep

import (
	"context"

	"sessiontree/internal/session/roots"
)

// nearlyFull is which part of the limit must be in use before people are warned.
const nearlyFull = 0.9

// State is what people see about copies.
type State struct {
	Settings
	Report
	Limit    int64 // bytes that copies may take
	Stored   int64 // bytes that they take
	Sessions int   // with copies
	// GoneSessions and GoneBytes are of sessions whose files do not exist any more.
	GoneSessions int
	GoneBytes    int64 // that their copies take
	// OriginalBytes is how many bytes the copied files have.
	OriginalBytes int64
	NearlyFull    bool // more than 90 % of the limit is in use
	Folders       []Folder
}

// Folder is a root with the copies of its files.
type Folder struct {
	Path     string
	Sessions int
	Stored   int64
	CleanUps []CleanUp // by which agents delete sessions here
}

// State returns the current state. It looks at every copied session.
func (k *Keeper) State(ctx context.Context) (State, error) {
	settings, err := k.settings.load()
	if err != nil {
		return State{}, err
	}
	s := State{Settings: settings, Report: k.report.load(), Limit: settings.Limit(), Stored: k.archive.StoredBytes()}
	k.mu.Lock()
	if k.failure != nil {
		s.Failure = *k.failure
	}
	k.mu.Unlock()
	s.NearlyFull = float64(s.Stored) > nearlyFull*float64(s.Limit)
	for _, path := range k.roots.Paths() {
		s.Folders = append(s.Folders, Folder{Path: path, CleanUps: k.cleanUpsOf(path)})
	}
	all, err := k.storedSessions(ctx)
	for _, of := range all {
		s.OriginalBytes += of.bytes
		s.addToFolder(of)
		if isSession := isLines(of.path); isSession {
			s.Sessions++
			if of.gone {
				s.GoneSessions++
			}
		}
		if of.gone {
			s.GoneBytes += of.stored
		}
	}
	return s, err
}

// addToFolder counts a session in the root that it is in.
func (s *State) addToFolder(of *storedSession) {
	for i := range s.Folders {
		f := &s.Folders[i]
		if _, ok := roots.RelativeTo(f.Path, of.path); ok {
			f.Stored += of.stored
			if isLines(of.path) {
				f.Sessions++
			}
			return
		}
	}
}

// IsGone reports whether the file at a path is copied and does not exist any more.
func (k *Keeper) IsGone(path string) bool { return k.archive.Has(path) && isGone(path) }
