// Package teamtest tests implementations of team.Registry.
package teamtest

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session/team"
)

// Opener opens a registry: the same one with each call, as several processes do.
type Opener func() team.Registry

// Run tests an implementation. create creates an empty registry.
func Run(t *testing.T, create func(t *testing.T) Opener) {
	for name, test := range map[string]func(*testing.T, Opener){
		"people":                          testPeople,
		"logins":                          testLogins,
		"codes":                           testCodes,
		"a code is used once":             testCodeRace,
		"devices":                         testDevices,
		"requests of devices":             testNotes,
		"projects":                        testProjects,
		"files":                           testFiles,
		"names that cannot be stored":     testNames,
		"who may read a file":             testVisibility,
		"versions of the list":            testVersion,
		"labels":                          testLabels,
		"deleted sessions":                testDelete,
		"a deleted session while pushing": testDeleteRace,
		"who may see an event":            testEvents,
		"any text in events":              testEventTexts,
		"changes by several processes":    testConcurrent,
		"any operations in any order":     testModel,
	} {
		t.Run(name, func(t *testing.T) { test(t, create(t)) })
	}
}

var ctx = context.Background()

// at returns a time that every implementation can store.
func at(seconds int) time.Time { return time.Unix(1_700_000_000+int64(seconds), 123_456_000) }

// secret returns the hash of a made-up secret.
func secret(name string) team.Hash { return team.HashSecret(name) }

// must returns a value that was found without an error.
func must[V any](v V, err error) func(testing.TB) V {
	return func(t testing.TB) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// do fails unless all changes succeeded.
func do(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// wantError fails unless the error is the wanted one.
func wantError(t testing.TB, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %v", what, err, want)
	}
}

// wantSame fails unless two values are equal. Times may be of different zones.
func wantSame[V any](t testing.TB, got, want V) {
	t.Helper()
	empty := cmp.FilterValues(func(a, b []string) bool { return len(a) == 0 && len(b) == 0 }, cmp.Comparer(func(_, _ []string) bool { return true }))
	if diff := cmp.Diff(want, got, empty); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func testPeople(t *testing.T, open Opener) {
	ada := team.Person{ID: "ada", Subject: "idp|1", Name: "Ada L.", Email: "ada@example.org", Role: team.Admin, Added: at(1)}
	bob := team.Person{ID: "bob", Name: "Bob", Role: team.Member, Added: at(2)}
	cid := team.Person{ID: "a-cid", Role: team.Reader, Added: at(3)}
	do(t, open().AddPerson(ctx, ada), open().AddPerson(ctx, bob), open().AddPerson(ctx, cid))
	wantError(t, "the same id", open().AddPerson(ctx, team.Person{ID: "ada"}), team.ErrExists)
	wantError(t, "the same subject", open().AddPerson(ctx, team.Person{ID: "other", Subject: "idp|1"}), team.ErrExists)
	do(t, open().SetPerson(ctx, "bob", "Robert", team.Reader))
	bob.Name, bob.Role = "Robert", team.Reader
	wantSame(t, must(open().FindPerson(ctx, "bob"))(t), bob)
	wantSame(t, must(open().FindSubject(ctx, "idp|1"))(t), ada)
	wantSame(t, must(open().ListPeople(ctx))(t), []team.Person{ada, bob, cid})
	_, err := open().FindPerson(ctx, "nobody")
	wantError(t, "unknown person", err, team.ErrNotFound)
	for _, subject := range []string{"idp|2", ""} {
		_, err = open().FindSubject(ctx, subject)
		wantError(t, "unknown subject", err, team.ErrNotFound)
	}
	wantError(t, "role of nobody", open().SetPerson(ctx, "nobody", "Nobody", team.Admin), team.ErrNotFound)
}

func testLogins(t *testing.T, open Opener) {
	l := team.Login{Token: secret("t"), Person: "ada", Expires: at(100)}
	do(t, open().AddLogin(ctx, l), open().AddLogin(ctx, team.Login{Token: secret("u"), Person: "bob", Expires: at(100)}))
	wantSame(t, must(open().FindLogin(ctx, l.Token, at(99)))(t), l)
	_, err := open().FindLogin(ctx, l.Token, at(100))
	wantError(t, "expired", err, team.ErrNotFound)
	_, err = open().FindLogin(ctx, secret("unknown"), at(1))
	wantError(t, "unknown", err, team.ErrNotFound)
	for range 2 {
		do(t, open().DeleteLogin(ctx, l.Token))
	}
	_, err = open().FindLogin(ctx, l.Token, at(1))
	wantError(t, "deleted", err, team.ErrNotFound)
	wantSame(t, must(open().FindLogin(ctx, secret("u"), at(1)))(t).Person, "bob")
}

func testDevices(t *testing.T, open Opener) {
	laptop := team.Device{ID: "dev-1", Person: "ada", Name: "laptop", Token: secret("t1"), Projects: []string{"/p a", "/q"}, Added: at(1)}
	desk := team.Device{ID: "dev-2", Person: "bob", Name: "desk", Token: secret("t2"), Added: at(2)}
	server := team.Device{ID: "a-dev-3", Person: "ada", Name: "server", Token: secret("t3"), Projects: []string{"/p a"}, Added: at(3)}
	do(t, open().AddDevice(ctx, laptop), open().AddDevice(ctx, desk), open().AddDevice(ctx, server))
	wantError(t, "the same id", open().AddDevice(ctx, team.Device{ID: "dev-1", Token: secret("t9")}), team.ErrExists)
	wantError(t, "the same token", open().AddDevice(ctx, team.Device{ID: "dev-9", Token: secret("t1")}), team.ErrExists)
	wantSame(t, must(open().FindDevice(ctx, "dev-1"))(t), laptop)
	wantSame(t, must(open().FindDeviceByToken(ctx, secret("t2")))(t), desk)
	wantSame(t, must(open().ListDevices(ctx, ""))(t), []team.Device{laptop, desk, server})

	do(t, open().RevokeDevice(ctx, "dev-1", at(50)), open().RevokeDevice(ctx, "dev-1", at(60)))
	laptop.Revoked = at(50)
	wantSame(t, must(open().FindDeviceByToken(ctx, laptop.Token))(t), laptop)
	wantSame(t, must(open().ListDevices(ctx, "ada"))(t), []team.Device{laptop, server})

	do(t, open().RemoveDevice(ctx, "dev-2"))
	wantSame(t, must(open().ListDevices(ctx, ""))(t), []team.Device{laptop, server})
	for name, err := range map[string]error{
		"find removed":   second(open().FindDevice(ctx, "dev-2")),
		"token removed":  second(open().FindDeviceByToken(ctx, secret("t2"))),
		"token unknown":  second(open().FindDeviceByToken(ctx, secret("t7"))),
		"remove again":   open().RemoveDevice(ctx, "dev-2"),
		"revoke removed": open().RevokeDevice(ctx, "dev-2", at(9)),
		"note removed":   open().NoteDevice(ctx, "dev-2", at(9), 1),
	} {
		wantError(t, name, err, team.ErrNotFound)
	}
	wantError(t, "the id of a removed one", open().AddDevice(ctx, team.Device{ID: "dev-2", Token: secret("t8")}), team.ErrExists)
	wantError(t, "the token of a removed one", open().AddDevice(ctx, team.Device{ID: "dev-8", Token: secret("t2")}), team.ErrExists)
}

// second returns the error of a call.
func second[V any](_ V, err error) error { return err }

// wantWithin fails unless a time is the wanted one, or up to team.Precision older.
func wantWithin(t testing.TB, got, want time.Time) {
	t.Helper()
	if got.After(want) || want.Sub(got) > team.Precision {
		t.Errorf("time %v, want %v or up to %v older", got, want, team.Precision)
	}
}

func testNotes(t *testing.T, open Opener) {
	do(t, open().AddDevice(ctx, team.Device{ID: "dev", Person: "ada", Token: secret("t"), Added: at(0)}))
	for i, hidden := range []int{0, 0, 3, 3, 4} {
		now := at(1 + 20*i)
		do(t, open().NoteDevice(ctx, "dev", now, hidden))
		dev := must(open().FindDevice(ctx, "dev"))(t)
		wantWithin(t, dev.Seen, now)
		if dev.Hidden != hidden {
			t.Errorf("%d secrets, want %d", dev.Hidden, hidden)
		}
	}
	do(t, open().NoteDevice(ctx, "dev", at(1000), 4))
	wantWithin(t, must(open().FindDevice(ctx, "dev"))(t).Seen, at(1000))
}

func testProjects(t *testing.T, open Opener) {
	wantSame(t, must(open().FindProject(ctx, "/new"))(t), team.Project{Name: "/new", Visibility: team.Private})
	a := team.Project{Name: "/a", Visibility: team.Team, RetainDays: 30, SearchDays: 7}
	do(t, open().SetProject(ctx, team.Project{Name: "/a"}), open().SetProject(ctx, a))
	wantSame(t, must(open().FindProject(ctx, "/a"))(t), a)
	do(t, open().PutFile(ctx, file("dev", "/s1", "ada", "/pushed")), open().PutFile(ctx, file("dev", "/s2", "ada", "/a")))
	all := must(open().ListProjects(ctx))(t)
	slices.SortFunc(all, func(a, b team.Project) int { return len(a.Name) - len(b.Name) })
	wantSame(t, all, []team.Project{a, {Name: "/pushed", Visibility: team.Private}})
}
