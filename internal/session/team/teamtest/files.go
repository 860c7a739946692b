package teamtest

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"sessiontree/internal/session/team"
)

// file returns the session file of that name of a device.
func file(device, name, person, project string) team.File {
	path := "/" + device + name
	return team.File{Path: path, Session: path, Device: device, Person: person, Project: project, Format: "f", Rules: "v1", Pushed: at(10)}
}

// sideFile returns a file that belongs to a session.
func sideFile(session team.File, name string) team.File {
	session.Path, session.Format = session.Path+name, ""
	return session
}

// visible returns the paths of the files that a person may see, sorted.
func visible(t testing.TB, r team.Registry, viewer string) (paths []string) {
	t.Helper()
	do(t, r.ListFiles(ctx, viewer, func(f team.File) error {
		paths = append(paths, f.Path)
		return nil
	}))
	slices.Sort(paths)
	return paths
}

func testFiles(t *testing.T, open Opener) {
	s := file("dev", "/ä b/s.jsonl", "ada", "/p")
	do(t, open().PutFile(ctx, s))
	wantSame(t, must(open().FindFile(ctx, s.Path))(t), s)
	s.Rules, s.Format, s.Project, s.Pushed = "v2", "g", "/q", at(500)
	again := s
	again.Visibility = team.Team // is ignored
	do(t, open().PutFile(ctx, again))
	wantSame(t, must(open().FindFile(ctx, s.Path))(t), s)
	s.Pushed = at(510)
	do(t, open().PutFile(ctx, s))
	wantWithin(t, must(open().FindFile(ctx, s.Path))(t).Pushed, s.Pushed)
	_, err := open().FindFile(ctx, "/none")
	wantError(t, "unknown file", err, team.ErrNotFound)

	stop := errors.New("stop")
	do(t, open().PutFile(ctx, file("dev", "/2", "ada", "/p")))
	calls := 0
	err = open().ListFiles(ctx, "", func(team.File) error { calls++; return stop })
	if !errors.Is(err, stop) || calls != 1 {
		t.Errorf("the list made %d calls, and then %v", calls, err)
	}
	// fn may use the registry.
	do(t, open().ListFiles(ctx, "ada", func(f team.File) error { return second(open().FindFile(ctx, f.Path)) }))
}

func testNames(t *testing.T, open Opener) {
	for _, name := range []string{"/\xff", "/a\x00b"} {
		for _, f := range []team.File{file("dev", name, "ada", "/p"), file("dev", "/s", "ada", name)} {
			if open().PutFile(ctx, f) == nil {
				t.Errorf("%q was stored", f)
			}
		}
	}
	wantSame(t, visible(t, open(), ""), nil)
}

func testVisibility(t *testing.T, open Opener) {
	own, shared, inTeam := file("dev", "/own", "ada", "/p"), file("dev", "/shared", "ada", "/p"), file("dev", "/team", "ada", "/t")
	hidden, late := file("dev", "/hidden", "ada", "/t"), sideFile(shared, "/late")
	side := sideFile(shared, "/side")
	do(t, open().SetProject(ctx, team.Project{Name: "/t", Visibility: team.Team}))
	for _, f := range []team.File{own, shared, side, inTeam, hidden} {
		do(t, open().PutFile(ctx, f))
	}
	wantSame(t, visible(t, open(), "bob"), []string{hidden.Path, inTeam.Path})
	do(t, open().SetVisibility(ctx, shared.Path, team.Team), open().SetVisibility(ctx, hidden.Path, team.Private))
	do(t, open().PutFile(ctx, late))
	wantSame(t, visible(t, open(), "bob"), []string{shared.Path, late.Path, side.Path, inTeam.Path})
	wantSame(t, visible(t, open(), "ada"), []string{hidden.Path, own.Path, shared.Path, late.Path, side.Path, inTeam.Path})
	wantSame(t, visible(t, open(), ""), visible(t, open(), "ada"))
	wantSame(t, must(open().FindFile(ctx, late.Path))(t).Visibility, team.Team)
	wantSame(t, must(open().FindFile(ctx, hidden.Path))(t).Visibility, team.Private)
	wantSame(t, must(open().FindFile(ctx, own.Path))(t).Visibility, team.Default)

	do(t, open().SetVisibility(ctx, shared.Path, team.Default), open().SetVisibility(ctx, hidden.Path, team.Default))
	wantSame(t, visible(t, open(), "bob"), []string{hidden.Path, inTeam.Path})
	do(t, open().SetProject(ctx, team.Project{Name: "/t", Visibility: team.Private}))
	wantSame(t, visible(t, open(), "bob"), nil)
	wantError(t, "unknown session", open().SetVisibility(ctx, "/none", team.Team), team.ErrNotFound)
	wantError(t, "a side file is no session", open().SetVisibility(ctx, side.Path, team.Team), team.ErrNotFound)
}

// testVersion changes who may read what in one process. Another one that reads its list only
// when the version is another one soon has the same list.
func testVersion(t *testing.T, open Opener) {
	first, second := open(), open()
	s, p := file("dev", "/s", "ada", "/p"), team.Project{Name: "/p", Visibility: team.Team}
	version, list := int64(-1), []string{"unknown"}
	for i, change := range []func() error{
		func() error { return first.PutFile(ctx, s) },
		func() error { return first.SetProject(ctx, p) },
		func() error { return first.SetVisibility(ctx, s.Path, team.Private) },
		func() error { return first.PutFile(ctx, sideFile(s, "/side")) },
		func() error { return first.SetVisibility(ctx, s.Path, team.Default) },
		func() error { _, err := first.DeleteSession(ctx, s.Path); return err },
	} {
		own := must(first.Version(ctx))(t)
		do(t, change())
		if i != 0 && i != 3 && must(first.Version(ctx))(t) == own { // the list is read again at once
			t.Errorf("change %d: the version is the same", i)
		}
		want := visible(t, first, "bob")
		for end := time.Now().Add(time.Minute); !slices.Equal(list, want); time.Sleep(time.Millisecond) {
			if now := must(second.Version(ctx))(t); now != version {
				version, list = now, visible(t, second, "bob")
			}
			if time.Now().After(end) {
				t.Fatalf("change %d: the list is %q, want %q", i, list, want)
			}
		}
	}
	// Requests and reads change no list.
	do(t, first.AddDevice(ctx, team.Device{ID: "dev", Token: secret("t")}), first.AddEvent(ctx, team.Event{Time: at(1), Action: team.Read}))
	own := must(first.Version(ctx))(t)
	do(t, first.NoteDevice(ctx, "dev", at(1), 1))
	if must(first.Version(ctx))(t) != own {
		t.Error("a request of a device is another version")
	}
}

func testDelete(t *testing.T, open Opener) {
	s, other := file("dev", "/s", "ada", "/p"), file("dev", "/other", "ada", "/p")
	side := sideFile(s, "/side")
	do(t, open().PutFile(ctx, s), open().PutFile(ctx, side), open().PutFile(ctx, other), open().SetVisibility(ctx, s.Path, team.Team))
	for range 2 {
		paths := must(open().DeleteSession(ctx, s.Path))(t)
		slices.Sort(paths)
		wantSame(t, paths, []string{s.Path, side.Path})
	}
	for _, f := range []team.File{s, side, sideFile(s, "/new")} {
		wantError(t, "push of a deleted session", open().PutFile(ctx, f), team.ErrDeleted)
		_, err := open().FindFile(ctx, f.Path)
		wantError(t, "deleted file", err, team.ErrNotFound)
	}
	for _, viewer := range []string{"", "ada"} {
		wantSame(t, visible(t, open(), viewer), []string{other.Path})
	}
	wantError(t, "share a deleted one", open().SetVisibility(ctx, s.Path, team.Team), team.ErrNotFound)
	_, err := open().DeleteSession(ctx, "/none")
	wantError(t, "unknown session", err, team.ErrNotFound)
}

// testDeleteRace deletes a session while its files are pushed. None of them stays, whichever
// was first.
func testDeleteRace(t *testing.T, open Opener) {
	for _, name := range []string{"/s1", "/s2", "/s3"} {
		s := file("dev", name, "ada", "/p")
		do(t, open().PutFile(ctx, s))
		var group sync.WaitGroup
		for _, part := range []string{"/a", "/b", "/c", "/d"} {
			r := open()
			group.Go(func() {
				if err := r.PutFile(ctx, sideFile(s, part)); err != nil {
					wantError(t, part, err, team.ErrDeleted)
				}
			})
		}
		r := open()
		group.Go(func() {
			if _, err := r.DeleteSession(ctx, s.Path); err != nil {
				t.Error(err)
			}
		})
		group.Wait()
	}
	wantSame(t, visible(t, open(), ""), nil)
}

func testEvents(t *testing.T, open Opener) {
	s, foreign := file("dev-a", "/s", "ada", "/p"), file("dev-b", "/s", "bob", "/p")
	do(t, open().AddDevice(ctx, team.Device{ID: "dev-a", Person: "ada", Token: secret("a")}), open().AddDevice(ctx, team.Device{ID: "dev-b", Person: "bob", Token: secret("b")}))
	do(t, open().PutFile(ctx, s), open().PutFile(ctx, foreign))
	events := []team.Event{
		{Time: at(1), Person: "ada", Action: team.Share, Session: s.Path, Title: "Fix it"},
		{Time: at(2), Person: "bob", Action: team.Read, Session: s.Path, Title: "Fix it", Detail: "tree"},
		{Time: at(3), Person: "bob", Action: team.Search, Detail: "words"},
		{Time: at(4), Device: "dev-a", Action: team.Refuse, Detail: "revoked"},
		{Time: at(5), Action: team.Purge, Session: s.Path},
		{Time: at(6), Person: "eve", Action: team.Read, Session: foreign.Path},
		{Time: at(6), Person: "eve", Action: team.SetRole, Title: "bob"},
	}
	for _, e := range events {
		do(t, open().AddEvent(ctx, e))
	}
	list := func(f team.EventFilter) (details []team.Event) { return must(open().ListEvents(ctx, f))(t) }
	newest := slices.Clone(events)
	slices.Reverse(newest)
	check := func() {
		t.Helper()
		wantSame(t, list(team.EventFilter{}), newest)
		wantSame(t, list(team.EventFilter{Limit: 2}), newest[:2])
		wantSame(t, list(team.EventFilter{Since: at(5)}), newest[:3])
		wantSame(t, list(team.EventFilter{Viewer: "ada"}), []team.Event{events[4], events[3], events[1], events[0]})
		wantSame(t, list(team.EventFilter{Viewer: "bob"}), []team.Event{events[5], events[2], events[1]})
		wantSame(t, list(team.EventFilter{Viewer: "ada", Since: at(2), Limit: 2}), []team.Event{events[4], events[3]})
		wantSame(t, len(list(team.EventFilter{Viewer: "zoe"})), 0)
	}
	check()
	// What happened to them is seen also when they are gone.
	must(open().DeleteSession(ctx, s.Path))(t)
	do(t, open().RemoveDevice(ctx, "dev-a"))
	check()
}

func testEventTexts(t *testing.T, open Opener) {
	do(t, open().AddEvent(ctx, team.Event{Time: at(1), Person: "ada", Action: team.Read, Title: "a\x00b\xffc", Detail: "<ok> ä\n"}))
	events := must(open().ListEvents(ctx, team.EventFilter{}))(t)
	if len(events) != 1 || events[0].Detail != "<ok> ä\n" {
		t.Errorf("events %q", events)
	}
}

func testLabels(t *testing.T, open Opener) {
	first, second := file("dev1", "/a", "ada", "p"), file("dev1", "/b", "ada", "p")
	do(t, open().PutFile(ctx, first), open().PutFile(ctx, sideFile(first, "/x")), open().PutFile(ctx, second))
	label := func(f team.File, entry, text string) team.Label {
		return team.Label{Session: f.Path, Entry: entry, Record: `{"label":"` + text + `"}`}
	}
	odd := label(second, "n\x00l \u2028 \"", "odd")
	do(t, open().SetLabel(ctx, label(first, "m1", "one")), open().SetLabel(ctx, odd))
	r := open()
	before := must(r.Version(ctx))(t)
	do(t, open().SetLabel(ctx, label(first, "m2", "two")), r.SetLabel(ctx, label(first, "m1", "changed")))
	if must(r.Version(ctx))(t) == before { // labels are read again at once
		t.Error("the version is the same")
	}
	wantSame(t, must(open().ListLabels(ctx))(t), []team.Label{label(first, "m1", "changed"), odd, label(first, "m2", "two")})
	wantError(t, "a label of a side file", open().SetLabel(ctx, team.Label{Session: first.Path + "/x", Entry: "m1", Record: "{}"}), team.ErrNotFound)
	_, err := open().DeleteSession(ctx, first.Path)
	do(t, err)
	wantSame(t, must(open().ListLabels(ctx))(t), []team.Label{odd})
	wantError(t, "a label of a deleted session", open().SetLabel(ctx, label(first, "m1", "late")), team.ErrNotFound)
}
