package team

// state is what the records of a journal amount to.
type state struct {
	people   table[string, Person]
	subjects map[string]string // ids by subject
	codes    table[Hash, Code]
	logins   table[Hash, Login]
	devices  table[string, Device]
	removed  table[string, Device]
	tokens   map[Hash]string // ids of devices
	projects table[string, Project]
	files    table[string, File]
	labels   table[[2]string, Label]
	rules    map[string]sessionRule
	sessions map[string]map[string]bool // paths of files by session
	events   []Event
	version  int64 // number of changes of files, of who may read them, and of labels

	// Ids of people by device and session, also those that are deleted.
	deviceOwners, sessionOwners map[string]string
}

func newState() *state {
	return &state{
		subjects: map[string]string{}, tokens: map[Hash]string{},
		rules: map[string]sessionRule{}, sessions: map[string]map[string]bool{},
		deviceOwners: map[string]string{}, sessionOwners: map[string]string{},
	}
}

// apply makes the change of a record.
func (s *state) apply(r *record) {
	if r.File != nil || r.Session != nil || r.Project != nil || r.Label != nil {
		s.version++
	}
	switch {
	case r.Person != nil:
		s.people.put(r.Person.ID, *r.Person)
		if r.Person.Subject != "" {
			s.subjects[r.Person.Subject] = r.Person.ID
		}
	case r.Code != nil:
		s.codes.put(r.Code.Hash, *r.Code)
	case r.Login != nil:
		s.logins.put(r.Login.Token, *r.Login)
	case r.RemovedLogin != nil:
		s.logins.remove(*r.RemovedLogin)
	case r.Device != nil:
		s.devices.put(r.Device.ID, *r.Device)
		s.tokens[r.Device.Token], s.deviceOwners[r.Device.ID] = r.Device.ID, r.Device.Person
	case r.RemovedDevice != "":
		if d, err := s.devices.find(r.RemovedDevice); err == nil {
			s.removed.put(d.ID, d)
			s.devices.remove(d.ID)
		}
	case r.Project != nil:
		s.projects.put(r.Project.Name, *r.Project)
	case r.File != nil:
		s.putFile(*r.File)
	case r.Session != nil:
		s.setRule(*r.Session)
	case r.Label != nil:
		s.labels.put(r.Label.key(), *r.Label)
	case r.Event != nil:
		s.events = append(s.events, *r.Event)
	}
}

func (s *state) putFile(f File) {
	if old, err := s.files.find(f.Path); err == nil && old.Session != f.Session {
		delete(s.sessions[old.Session], f.Path)
	}
	if s.sessions[f.Session] == nil {
		s.sessions[f.Session] = map[string]bool{}
	}
	s.sessions[f.Session][f.Path] = true
	s.sessionOwners[f.Session] = f.Person
	f.Visibility = Default // that of its session counts, see findFile
	s.files.put(f.Path, f)
}

func (s *state) setRule(r sessionRule) {
	s.rules[r.Path] = r
	if r.Person != "" {
		s.sessionOwners[r.Path] = r.Person
	}
	if r.Deleted {
		for path := range s.sessions[r.Path] {
			s.files.remove(path)
		}
		delete(s.sessions, r.Path)
		for l := range s.labels.all() {
			if l.Session == r.Path {
				s.labels.remove(l.key())
			}
		}
	}
}

// withVisibility returns a file with the visibility of its session.
func (s *state) withVisibility(f File) File {
	f.Visibility = s.rules[f.Session].Visibility
	return f
}

// project returns the rules of a project, which need not have been set.
func (s *state) project(name string) Project {
	if p, err := s.projects.find(name); err == nil {
		return p
	}
	return Project{Name: name, Visibility: Private}
}

// visibleFiles returns the files that a person may see, all of them if viewer is "".
func (s *state) visibleFiles(viewer string) []File {
	files := s.files.list(func(f File) bool {
		return viewer == "" || CanRead(viewer, s.withVisibility(f), s.project(f.Project))
	})
	for i := range files {
		files[i] = s.withVisibility(files[i])
	}
	return files
}

// mayReadEvent reports whether a person may see an event: an own one, or one about an own
// session or device.
func (s *state) mayReadEvent(viewer string, e *Event) bool {
	return viewer == "" || e.Person == viewer || e.Device != "" && s.deviceOwners[e.Device] == viewer || e.Session != "" && s.sessionOwners[e.Session] == viewer
}
