package push

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/push/wire"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/scan"
)

// Project is a project whose sessions are pushed.
type Project struct {
	Name string // on the hub
	Dir  string // absolute; sessions that began in it or below belong to the project
}

// localFile is a file to push.
type localFile struct {
	path    string
	project string          // name
	session string          // path of the session file that it belongs to
	format  *session.Format // known once the file has to be sent
}

// isLines reports whether a file is a list of lines, which agents append to.
func (f *localFile) isLines() bool { return strings.HasSuffix(f.path, roots.SessionSuffix) }

// listFiles returns the files of those sessions that belong to a project, without blobs.
func (p *Pusher) listFiles(ctx context.Context, sessions []catalog.Summary) (files []localFile, err error) {
	agents := p.catalog.AgentFiles()
	for _, s := range sessions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		own, err := p.sessionFiles(&s, agents[s.Path])
		if err != nil {
			return nil, err
		}
		files = append(files, own...)
	}
	return files, nil
}

// sessionFiles returns the files of a session: its own, those of its sub-agents and those in
// their directories. There are none if the session belongs to no project that is pushed.
func (p *Pusher) sessionFiles(s *catalog.Summary, agents []string) (files []localFile, err error) {
	project, ok := p.projectOf(s.Cwd)
	if !ok || s.Deleted {
		return nil, nil
	}
	paths := map[string]bool{}
	for _, path := range slices.Concat([]string{s.Path}, agents) {
		paths[path] = true
		if err := addSideFiles(paths, path); err != nil {
			return nil, err
		}
	}
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		files = append(files, localFile{path: path, project: project, session: s.Path})
	}
	return files, nil
}

// addSideFiles adds the files in the directory of a session file.
func addSideFiles(paths map[string]bool, path string) error {
	return filepath.WalkDir(strings.TrimSuffix(path, roots.SessionSuffix), func(side string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return safefile.IgnoreError(err, fs.ErrNotExist)
		case roots.IsIgnoredName(e.Name()) && e.IsDir():
			return fs.SkipDir
		case e.Type().IsRegular() && !roots.IsIgnoredName(e.Name()):
			paths[side] = true
		}
		return nil
	})
}

// projectOf returns the name of the project of sessions that began in a directory. It reports
// false if the project is not pushed, or if the directory is not known.
func (p *Pusher) projectOf(cwd string) (name string, ok bool) {
	for _, project := range p.projects {
		if rel, err := filepath.Rel(project.Dir, cwd); cwd != "" && err == nil && filepath.IsLocal(rel) {
			return project.Name, true
		}
	}
	return "", false
}

// sniff returns the format of a session file, nil if it has none.
func (p *Pusher) sniff(path string) *session.Format {
	if !strings.HasSuffix(path, roots.SessionSuffix) {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	format, _ := scan.SniffFormat(p.formats, f, "") // a file that cannot be read has none
	return format
}

// describe returns what the hub needs to know of a file.
func (p *Pusher) describe(f *localFile) wire.File {
	name := ""
	if f.format != nil {
		name = f.format.Name
	}
	return wire.File{Path: p.hubPath(f.path), Session: p.hubPath(f.session), Project: f.project, Format: name, Rules: p.rules}
}

// hubPath returns the path of a file on the hub: without the home directory and other names
// that are removed from sessions, and without hidden directories, which the hub refuses.
func (p *Pusher) hubPath(path string) string {
	if rel, err := filepath.Rel(p.home, path); p.home != "" && err == nil && filepath.IsLocal(rel) {
		path = rel
	}
	parts := strings.Split(strings.Trim(filepath.ToSlash(path), "/"), "/")
	for i, part := range parts {
		if p.redactor != nil {
			part, _ = p.redactor.RedactText(part, p.classes)
		}
		part = strings.NewReplacer("/", "_", "\\", "_").Replace(part)
		if strings.HasPrefix(part, ".") {
			part = "_" + part[1:]
		}
		parts[i] = part
	}
	return "/" + strings.Join(parts, "/")
}
