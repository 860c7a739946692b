package teamtest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sessiontree/internal/session/team"
)

// model is what a registry should have of files.
type model struct {
	prefix   string
	files    map[string]team.File // by path, with the visibility of their sessions
	deleted  map[string]bool
	projects map[string]team.Project
}

// step makes a change in the registry and in the model.
func (m *model) step(t *testing.T, open Opener, r *rapid.T) {
	person := rapid.SampledFrom([]string{"ada", "bob"}).Draw(r, "person")
	session := file(m.prefix+person, rapid.SampledFrom([]string{"/1", "/2", "/3"}).Draw(r, "session"), person, m.prefix+rapid.SampledFrom([]string{"p", "q"}).Draw(r, "project"))
	visibility := rapid.SampledFrom([]team.Visibility{team.Default, team.Private, team.Team}).Draw(r, "visibility")
	switch rapid.IntRange(0, 9).Draw(r, "op") {
	case 0:
		_, err := open().DeleteSession(ctx, session.Path)
		wantError(t, "delete", err, m.errorOf(session.Path, m.deleted[session.Path]))
		if err == nil {
			m.deleted[session.Path] = true
			maps.DeleteFunc(m.files, func(_ string, f team.File) bool { return f.Session == session.Path })
		}
	case 1, 2:
		err := open().SetVisibility(ctx, session.Path, visibility)
		wantError(t, "set the visibility", err, m.errorOf(session.Path, false))
		m.setVisibility(session.Path, visibility)
	case 3:
		p := team.Project{Name: session.Project, Visibility: visibility, RetainDays: len(session.Path)}
		if visibility == team.Default {
			p.Visibility = team.Private
		}
		do(t, open().SetProject(ctx, p))
		m.projects[p.Name] = p
	default:
		f := sideFile(session, rapid.SampledFrom([]string{"", "/x", "/y"}).Draw(r, "side"))
		err := open().PutFile(ctx, f)
		if m.deleted[f.Session] {
			wantError(t, "put", err, team.ErrDeleted)
			return
		}
		do(t, err)
		f.Visibility = m.visibilityOf(f.Session)
		m.files[f.Path] = f
	}
}

// errorOf returns the error of a change of a session.
func (m *model) errorOf(session string, known bool) error {
	for _, f := range m.files {
		known = known || f.Session == session
	}
	if known {
		return nil
	}
	return team.ErrNotFound
}

func (m *model) visibilityOf(session string) team.Visibility {
	for _, f := range m.files {
		if f.Session == session {
			return f.Visibility
		}
	}
	return team.Default
}

func (m *model) setVisibility(session string, v team.Visibility) {
	for path, f := range m.files {
		if f.Session == session {
			f.Visibility = v
			m.files[path] = f
		}
	}
}

// compare fails unless each person sees the files that the model has for them.
func (m *model) compare(t *testing.T, r team.Registry) {
	for _, viewer := range []string{"", "ada", "bob", "zoe"} {
		var want, got []string
		for path, f := range m.files {
			if viewer == "" || team.CanRead(viewer, f, m.projects[f.Project]) {
				want = append(want, path)
			}
		}
		do(t, r.ListFiles(ctx, viewer, func(f team.File) error {
			if stored, ok := m.files[f.Path]; ok {
				wantSame(t, f, stored)
				got = append(got, f.Path)
			} else if len(f.Path) > len(m.prefix) && f.Path[1:1+len(m.prefix)] == m.prefix {
				t.Errorf("%s sees %s, which is gone", viewer, f.Path)
			}
			return nil
		}))
		slices.Sort(want)
		slices.Sort(got)
		wantSame(t, got, want)
	}
}

func testModel(t *testing.T, open Opener) {
	n := 0
	rapid.Check(t, func(r *rapid.T) {
		n++
		m := model{prefix: fmt.Sprintf("run%d-", n), files: map[string]team.File{}, deleted: map[string]bool{}, projects: map[string]team.Project{}}
		for range rapid.IntRange(1, 20).Draw(r, "steps") {
			m.step(t, open, r)
		}
		m.compare(t, open())
		if t.Failed() {
			r.Fatal(errors.New("differs from the model"))
		}
	})
}
