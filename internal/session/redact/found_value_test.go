package redact

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	gitHub = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	home   = "/home/tester"
)

// A value that is to stay does, wherever it stands; all others go.
func TestSpared(t *testing.T) {
	r := New(Options{Home: home})
	inside, err := json.Marshal(map[string]string{"key": gitHub, "at": home + "/notes"})
	if err != nil {
		t.Fatal(err)
	}
	line, err := json.Marshal(map[string]any{"text": "use " + gitHub + " in " + home + "/x", "args": string(inside)})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		stays      string
		keys, home int // how often they are left
	}{{"", 0, 0}, {gitHub, 2, 0}, {home, 0, 2}} {
		which := map[string]bool{ClassKeys: true, ClassPersonal: true}
		if c.stays != "" {
			which[ValueID(c.stays)] = false
		}
		out, _, _, err := r.RedactJSON(line, which)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(out), gitHub); n != c.keys {
			t.Errorf("%q stays: the key is left %d times: %s", c.stays, n, out)
		}
		if n := strings.Count(string(out), home); n != c.home {
			t.Errorf("%q stays: the home directory is left %d times: %s", c.stays, n, out)
		}
	}
	// A value that is asked for goes with its class only.
	if out, counts := r.RedactText(gitHub, map[string]bool{ClassPersonal: true, ValueID(gitHub): true}); out != gitHub || counts != nil {
		t.Errorf("%s, %v", out, counts)
	}
}

func TestValues(t *testing.T) {
	r := New(Options{Home: home})
	line := []byte(`{"a":"` + home + `/x and ` + home + `/y","b":["` + gitHub + `"]}`)
	got, err := r.FindValues(line)
	if err != nil {
		t.Fatal(err)
	}
	want := []Value{
		{Class: ClassPersonal, Kind: kindHome, ID: ValueID(home), Excerpt: home, Count: 2},
		{Class: ClassKeys, Kind: "github token", ID: ValueID(gitHub), Excerpt: "ghp_16C7e4••••••••B4a", Count: 1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := r.FindValues([]byte(`{"a":`)); err == nil {
		t.Error("half a line is looked through")
	}
}

// Of a key never so much is shown that the rest could be guessed, and nothing that
// hides or reorders what stands around it.
func TestShown(t *testing.T) {
	for value, want := range map[string]string{
		"abc":                   "••••••••",
		"abcdefgh":              "ab••••••••h",
		strings.Repeat("k", 99): "kkkkkkkkkkkk••••••••kkk",
		"a\nb\u202ecdefg":       "a ••••••••g",
	} {
		if got := excerptOf(ClassKeys, value); got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
	if got := excerptOf(ClassPersonal, strings.Repeat("p", 99)); len([]rune(got)) != 60 {
		t.Errorf("%q", got)
	}
}
