package team

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"
)

var now = time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)

func openRegistry(t *testing.T, dir string) *Registry {
	t.Helper()
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// addTeam adds two people with one device and one session each.
func addTeam(t *testing.T, r *Registry) {
	t.Helper()
	ctx := t.Context()
	for _, id := range []string{"ada", "ben"} {
		check(t, r.AddPerson(ctx, Person{ID: id, Name: id, Role: Member}))
		check(t, r.AddDevice(ctx, Device{ID: id + "-pc", Person: id, Token: HashSecret(id)}))
		check(t, r.PutFile(ctx, File{Path: "/" + id + "-pc/s.jsonl", Session: "/" + id + "-pc/s.jsonl", Device: id + "-pc", Person: id, Project: "atlas"}))
	}
}

// visiblePaths returns the paths of the files that a person may see.
func visiblePaths(t *testing.T, r *Registry, viewer string) (paths []string) {
	t.Helper()
	files, err := r.ListFiles(viewer)
	check(t, err)
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	return paths
}

func checkVisible(t *testing.T, r *Registry, viewer string, want ...string) {
	t.Helper()
	if got := visiblePaths(t, r, viewer); !slices.Equal(got, want) {
		t.Errorf("%s sees %q, want %q", viewer, got, want)
	}
}

const (
	adaSession = "/ada-pc/s.jsonl"
	benSession = "/ben-pc/s.jsonl"
)

// A session is private until its owner shares it or its project is one of the team. What the
// owner decided for a session wins.
func TestVisibility(t *testing.T) {
	r, ctx := openRegistry(t, t.TempDir()), t.Context()
	addTeam(t, r)
	checkVisible(t, r, "ada", adaSession)
	checkVisible(t, r, "ben", benSession)
	checkVisible(t, r, "nobody")
	checkVisible(t, r, "", adaSession, benSession)

	check(t, r.SetVisibility(ctx, adaSession, Team))
	checkVisible(t, r, "ben", adaSession, benSession)
	check(t, r.PutFile(ctx, File{Path: "/ada-pc/s/agent.jsonl", Session: adaSession, Device: "ada-pc", Person: "ada", Project: "atlas", Visibility: Private}))
	checkVisible(t, r, "ben", adaSession, benSession, "/ada-pc/s/agent.jsonl")

	check(t, r.SetProject(ctx, Project{Name: "atlas", Visibility: Team}))
	checkVisible(t, r, "ada", adaSession, benSession, "/ada-pc/s/agent.jsonl")
	check(t, r.SetVisibility(ctx, adaSession, Private))
	checkVisible(t, r, "ben", benSession)
	if err := r.SetVisibility(ctx, "/ada-pc/none.jsonl", Team); !errors.Is(err, ErrNotFound) {
		t.Errorf("a session without files: %v", err)
	}
}

// A deleted session is gone with all of its files, and is refused from then on, also after a
// new start.
func TestDeleteSession(t *testing.T) {
	dir, ctx := t.TempDir(), t.Context()
	r := openRegistry(t, dir)
	addTeam(t, r)
	agent := File{Path: "/ada-pc/s/agent.jsonl", Session: adaSession, Device: "ada-pc", Person: "ada", Project: "atlas"}
	check(t, r.PutFile(ctx, agent))
	paths, err := r.DeleteSession(ctx, adaSession)
	check(t, err)
	if !slices.Equal(paths, []string{adaSession, agent.Path}) {
		t.Errorf("the files of the session are %q", paths)
	}
	for _, r := range []*Registry{r, openRegistry(t, dir)} {
		checkVisible(t, r, "ada")
		if err := r.PutFile(ctx, agent); !errors.Is(err, ErrDeleted) {
			t.Errorf("a file of a deleted session: %v", err)
		}
		if _, err := r.DeleteSession(ctx, adaSession); err != nil {
			t.Errorf("deleting it again: %v", err)
		}
	}
	if _, err := r.DeleteSession(ctx, "/none"); !errors.Is(err, ErrNotFound) {
		t.Errorf("deleting a session that never existed: %v", err)
	}
}

// Of many uses of a code, by two processes, one succeeds. Other kinds and expired codes fail.
func TestUseCode(t *testing.T) {
	dir, ctx := t.TempDir(), t.Context()
	a, b := openRegistry(t, dir), openRegistry(t, dir)
	code, expired := HashSecret("code"), HashSecret("old")
	check(t, a.AddCode(ctx, Code{Hash: code, Kind: DeviceCode, Person: "ada", Expires: now.Add(time.Minute)}))
	check(t, a.AddCode(ctx, Code{Hash: expired, Kind: DeviceCode, Person: "ada", Expires: now}))
	for _, c := range []struct {
		hash Hash
		kind CodeKind
	}{{code, InviteCode}, {expired, DeviceCode}, {HashSecret("unknown"), DeviceCode}} {
		if _, err := b.UseCode(ctx, c.hash, c.kind, "", now); !errors.Is(err, ErrCode) {
			t.Errorf("%v: %v", c, err)
		}
	}
	var uses sync.WaitGroup
	used := make(chan Code, 20)
	for i := range 20 {
		uses.Go(func() {
			if c, err := []*Registry{a, b}[i%2].UseCode(ctx, code, DeviceCode, "pc", now); err == nil {
				used <- c
			}
		})
	}
	uses.Wait()
	if len(used) != 1 {
		t.Fatalf("the code was used %d times", len(used))
	}
	if c, err := a.FindCode(code); err != nil || c.Hash != code || c.Device != "pc" {
		t.Errorf("the used code is %+v, %v", c, err)
	}
}

func TestDevices(t *testing.T) {
	r, ctx := openRegistry(t, t.TempDir()), t.Context()
	addTeam(t, r)
	if err := r.AddDevice(ctx, Device{ID: "other", Token: HashSecret("ada")}); !errors.Is(err, ErrExists) {
		t.Errorf("a second device with one token: %v", err)
	}
	check(t, r.NoteDevice(ctx, "ada-pc", now, 3))
	check(t, r.RevokeDevice(ctx, "ada-pc", now))
	check(t, r.RevokeDevice(ctx, "ada-pc", now.Add(time.Hour)))
	d, err := r.FindDeviceByToken(HashSecret("ada"))
	if err != nil || !d.Revoked.Equal(now) || !d.Seen.Equal(now) || d.Hidden != 3 {
		t.Errorf("the device is %+v, %v", d, err)
	}
	if _, err := r.FindDeviceByToken(HashSecret("")); !errors.Is(err, ErrNotFound) {
		t.Errorf("an unknown token: %v", err)
	}
	if devices, err := r.ListDevices("ben"); err != nil || len(devices) != 1 || devices[0].ID != "ben-pc" {
		t.Errorf("the devices of ben are %+v, %v", devices, err)
	}
	if err := r.RevokeDevice(ctx, "none", now); !errors.Is(err, ErrNotFound) {
		t.Errorf("revoking an unknown device: %v", err)
	}
}

func TestLogins(t *testing.T) {
	dir, ctx := t.TempDir(), t.Context()
	r := openRegistry(t, dir)
	token := HashSecret("token")
	check(t, r.AddLogin(ctx, Login{Token: token, Person: "ada", Expires: now.Add(time.Hour)}))
	other := openRegistry(t, dir)
	if l, err := other.FindLogin(token, now); err != nil || l.Person != "ada" {
		t.Errorf("the login is %+v, %v", l, err)
	}
	if _, err := r.FindLogin(token, now.Add(time.Hour)); !errors.Is(err, ErrNotFound) {
		t.Errorf("an expired login: %v", err)
	}
	check(t, other.DeleteLogin(ctx, token))
	check(t, other.DeleteLogin(ctx, token))
	if _, err := r.FindLogin(token, now); !errors.Is(err, ErrNotFound) {
		t.Errorf("a deleted login: %v", err)
	}
}

// A person sees own events and those about own sessions and devices.
func TestListEvents(t *testing.T) {
	r, ctx := openRegistry(t, t.TempDir()), t.Context()
	addTeam(t, r)
	for i, e := range []Event{
		{Person: "ben", Action: Read, Session: adaSession},
		{Person: "ben", Action: Read, Session: benSession},
		{Device: "ada-pc", Action: Refuse},
		{Person: "ada", Action: Search},
	} {
		e.Time = now.Add(time.Duration(i) * time.Minute)
		check(t, r.AddEvent(ctx, e))
	}
	for _, c := range []struct {
		filter EventFilter
		want   []Action
	}{
		{EventFilter{Viewer: "ada"}, []Action{Search, Refuse, Read}},
		{EventFilter{Viewer: "ben"}, []Action{Read, Read}},
		{EventFilter{Limit: 1}, []Action{Search}},
		{EventFilter{Since: now.Add(2 * time.Minute)}, []Action{Search, Refuse}},
	} {
		events, err := r.ListEvents(c.filter)
		check(t, err)
		var got []Action
		for _, e := range events {
			got = append(got, e.Action)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.filter, got, c.want)
		}
	}
}

// What a killed process left of a line is no change, and is removed by the next one.
func TestOpen_UnfinishedLine(t *testing.T) {
	dir := t.TempDir()
	r := openRegistry(t, dir)
	addTeam(t, r)
	path := filepath.Join(dir, journalName)
	whole, err := os.ReadFile(path)
	check(t, err)
	for cut := len(whole) - 1; cut > len(whole)-200; cut-- {
		check(t, os.WriteFile(path, whole[:cut], 0o600))
		r := openRegistry(t, dir)
		checkVisible(t, r, "ada", adaSession)
		check(t, r.AddPerson(t.Context(), Person{ID: "eve"}))
		if p, err := openRegistry(t, dir).FindPerson("eve"); err != nil || p.ID != "eve" {
			t.Fatalf("cut at %d: %+v, %v", cut, p, err)
		}
	}
}

// A damaged journal is an error and not a smaller team.
func TestOpen_Damaged(t *testing.T) {
	dir := t.TempDir()
	addTeam(t, openRegistry(t, dir))
	path := filepath.Join(dir, journalName)
	whole, err := os.ReadFile(path)
	check(t, err)
	for _, text := range []string{"not JSON\n", "{}\n", `{"later":1}` + "\n"} {
		check(t, os.WriteFile(path, append([]byte(text), whole...), 0o600))
		if _, err := Open(dir); err == nil {
			t.Errorf("%q at the start was accepted", text)
		}
	}
}

// Others cannot read the file.
func TestOpen_FileMode(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "team")
	addTeam(t, openRegistry(t, dir))
	info, err := os.Stat(filepath.Join(dir, journalName))
	if check(t, err); info.Mode() != 0o600 {
		t.Errorf("the mode is %v", info.Mode())
	}
}
