package team_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/session/team"
	"sessiontree/internal/session/team/teamtest"
)

var ctx = context.Background()

func openDir(t testing.TB, dir string) *team.Dir {
	t.Helper()
	d, err := team.OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDir(t *testing.T) {
	teamtest.Run(t, func(t *testing.T) teamtest.Opener {
		dir := filepath.Join(t.TempDir(), "hub")
		return func() team.Registry { return openDir(t, dir) }
	})
}

// Two processes that stay open see each other's changes.
func TestTwoOpen(t *testing.T) {
	teamtest.Run(t, func(t *testing.T) teamtest.Opener {
		dir, n := t.TempDir(), 0
		opened := []team.Registry{openDir(t, dir), openDir(t, dir)}
		return func() team.Registry {
			n++
			return opened[n%2]
		}
	})
}

// Processes see the same also if each change rewrites the file.
func TestRewrite(t *testing.T) {
	teamtest.Run(t, func(t *testing.T) teamtest.Opener {
		dir, n := t.TempDir(), 0
		opened := []*team.Dir{openDir(t, dir), openDir(t, dir), openDir(t, dir)}
		opened[0].RewriteAlways()
		opened[1].RewriteAlways()
		return func() team.Registry {
			n++
			if n%7 == 0 {
				return openDir(t, dir)
			}
			return opened[n%3]
		}
	})
}

// A journal does not grow without end while the same things change.
func TestRewrite_size(t *testing.T) {
	dir := t.TempDir()
	d, other := openDir(t, dir), openDir(t, dir)
	addPerson(t, d, "ada")
	if err := d.AddDevice(ctx, team.Device{ID: "dev", Person: "ada", Token: team.HashSecret("t")}); err != nil {
		t.Fatal(err)
	}
	line := bytes.SplitAfter(readJournal(t, dir), []byte("\n"))[2]
	if !bytes.Contains(line, []byte(`"device"`)) {
		t.Fatalf("line %q", line)
	}
	writeJournal(t, dir, append(readJournal(t, dir), bytes.Repeat(line, 20_000)...))
	if got := people(t, other); got != "ada" {
		t.Fatalf("people %q", got)
	}
	if err := d.NoteDevice(ctx, "dev", time.Unix(9000, 0), 7); err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(readJournal(t, dir), []byte("\n")); n != 3 {
		t.Errorf("the journal has %d lines", n)
	}
	for name, d := range map[string]*team.Dir{"same": d, "other": other, "new": openDir(t, dir)} {
		if dev, err := d.FindDevice(ctx, "dev"); err != nil || dev.Hidden != 7 {
			t.Errorf("%s: %+v, %v", name, dev, err)
		}
		addPerson(t, d, name)
	}
	if got := people(t, other); strings.Count(got, " ") != 3 {
		t.Errorf("people %q", got)
	}
}

func addPerson(t testing.TB, d *team.Dir, id string) {
	t.Helper()
	if err := d.AddPerson(ctx, team.Person{ID: id, Role: team.Member, Added: time.Unix(1, 0)}); err != nil {
		t.Fatal(err)
	}
}

func people(t testing.TB, d *team.Dir) string {
	t.Helper()
	all, err := d.ListPeople(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, p := range all {
		ids = append(ids, p.ID)
	}
	return strings.Join(ids, " ")
}

// A process that is killed while it writes leaves some bytes of a line. All lines before it
// were acknowledged and stay, and others can be added.
func TestTornLine(t *testing.T) {
	first := t.TempDir()
	d := openDir(t, first)
	addPerson(t, d, "ada")
	acknowledged := readJournal(t, first)
	addPerson(t, d, "bob")
	all := readJournal(t, first)
	for size := range all {
		want := "ada"
		if size < len(acknowledged) {
			want = ""
		}
		dir := t.TempDir()
		writeJournal(t, dir, all[:size])
		d := openDir(t, dir)
		if got := people(t, d); got != want {
			t.Fatalf("after %d of %d bytes: people %q", size, len(all), got)
		}
		addPerson(t, d, "cid")
		if got, again := people(t, d), people(t, openDir(t, dir)); got != strings.TrimSpace(want+" cid") || again != got {
			t.Fatalf("after %d of %d bytes: people %q, opened again %q", size, len(all), got, again)
		}
	}
}

// What cannot be read may revoke something, so that it is an error.
func TestDamage(t *testing.T) {
	for name, line := range map[string]string{"no JSON": "{\n", "newer record": "{\"teams\":{}}\n", "other type": "{\"person\":7}\n", "empty": "\n"} {
		dir := t.TempDir()
		addPerson(t, openDir(t, dir), "ada")
		before := readJournal(t, dir)
		writeJournal(t, dir, append(before, line...))
		_, err := team.OpenDir(dir)
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("damaged at byte %d", len(before))) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func readJournal(t testing.TB, dir string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "team.jsonl"))
	if err != nil || len(b) == 0 {
		t.Fatal(err)
	}
	return b
}

func writeJournal(t testing.TB, dir string, b []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "team.jsonl"), b, 0o600); err != nil {
		t.Fatal(err)
	}
}
