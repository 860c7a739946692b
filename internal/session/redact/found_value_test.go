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

// TestValuesKept checks that values to be kept are kept everywhere and that all others are
// replaced.
func TestValuesKept(t *testing.T) {
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
		keys, home int // how often they remain
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
	// A value whose id maps to true is replaced only with its class.
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

// TestExcerpts checks that an excerpt never reveals enough of a key to guess the rest, and that it
// holds no characters which hide or reorder the text around it.
func TestExcerpts(t *testing.T) {
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
