package cli

import (
	"bytes"
	"crypto/rand"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sessiontree/internal/sampletest"
	"sessiontree/internal/slowtest"
)

// stateFiles are all kinds of files that the explorer keeps of itself, and what says that
// one of them is damaged: "" nothing, as nothing is lost.
var stateFiles = map[string]string{
	"state/token":                           "token",
	"state/served/PORT.json":                "token",
	"state/sidecar/HASH.jsonl":              "list",
	"state/rewound/HASH/HASH.jsonl":         "check",
	"state/shares/ID/share.json":            "shares",
	"state/shares/ID/SNAPSHOT.jsonl":        "shares",
	"state/shares/ID/visits":                "",
	"state/shares/sidecar/HASH.jsonl":       "",
	"cache/session-explorer/catalog-NUMBER": "",
	"cache/session-explorer/texts-NUMBER":   "",
}

// kindOf is the kind of a file, by its path below the directory of all.
func kindOf(path string) string {
	path = filepath.ToSlash(path)
	for _, part := range [][2]string{
		{`served/[0-9]+\.`, "served/PORT."}, {`[0-9a-f]{32}`, "HASH"}, {`shares/[0-9a-f]{8}/`, "shares/ID/"},
		{`catalog-[0-9]+`, "catalog-NUMBER"}, {`texts-[0-9]+`, "texts-NUMBER"}, {`ID/[^/]*\.jsonl`, "ID/SNAPSHOT.jsonl"},
	} {
		path = regexp.MustCompile(part[0]).ReplaceAllString(path, part[1])
	}
	return path
}

// damages are ways in which a file breaks.
var damages = map[string]func(text []byte) []byte{
	"empty": func([]byte) []byte { return nil },
	"half":  func(text []byte) []byte { return text[:len(text)/2] },
	"random": func(text []byte) []byte {
		bad := make([]byte, max(len(text), 64))
		_, _ = rand.Read(bad)
		bad[0] = 0xff
		return bad
	},
}

// Whichever file of its own is damaged, and however: the explorer starts, shows every
// session, labels and shares, and what is lost is said.
func TestState_damaged(t *testing.T) {
	slowtest.SkipIfShortOutsideCI(t)
	u := newUsedState(t)
	kept, seen, cases := filepath.Join(t.TempDir(), "kept"), map[string]bool{}, 0
	if err := os.CopyFS(kept, os.DirFS(u.dir)); err != nil {
		t.Fatal(err)
	}
	for _, file := range u.files() {
		kind := kindOf(file)
		says, known := stateFiles[kind]
		if !known {
			t.Errorf("%s is of no kind that is known: what says that it is damaged?", file)
		}
		if seen[kind] {
			continue
		}
		seen[kind] = true
		for name, damage := range damages {
			if cases++; cases%sampletest.Step() != 0 {
				continue
			}
			t.Run(kind+" "+name, func(t *testing.T) {
				u := &usedState{t: t, dir: t.TempDir(), link: u.link}
				if err := os.CopyFS(u.dir, os.DirFS(kept)); err != nil {
					t.Fatal(err)
				}
				u.labelled = u.path("sessions/home-dev-shop/" + linear + ".jsonl")
				text, err := os.ReadFile(u.path(file))
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(u.path(file), damage(text), 0o600); err != nil {
					t.Fatal(err)
				}
				if name == "empty" && says == "list" {
					says = "" // an empty sidecar is one that nothing was written to yet
				}
				u.works(file, says)
			})
		}
	}
	for kind := range stateFiles {
		if !seen[kind] {
			t.Errorf("there is no %s", kind)
		}
	}
	t.Logf("%d attempts", cases/sampletest.Step())
}

// works uses the explorer in every way. The verb that says is to say that the file is damaged.
func (u *usedState) works(file, says string) {
	t := u.t
	damaged, err := os.ReadFile(u.path(file))
	if err != nil {
		t.Fatal(err)
	}
	for _, verb := range [][]string{{"token"}, {"list", u.path("sessions")}, {"check", u.labelled}, {"tree", u.labelled}, {"shares"}, {"label", u.labelled, "m2", "new"},
		{"share", "--share-url", "http://127.0.0.1:1", u.labelled}} {
		out := u.verb(verb...).String()
		if verb[0] == says && !strings.Contains(out, filepath.Base(file)) && !strings.Contains(out, "damaged") {
			t.Errorf("%s does not say that it is damaged: %q", verb[0], out)
		}
		if verb[0] == "shares" && strings.Count(out, "entr") != 2 {
			t.Errorf("shares are missing in %q", out)
		}
	}
	if now, err := os.ReadFile(u.path(file)); strings.Contains(file, "sidecar") && (err != nil || !bytes.HasPrefix(now, damaged)) {
		t.Errorf("the sidecar was overwritten, %v", err)
	}
	t.Setenv("XDG_CACHE_HOME", u.path("cache"))
	s, lines := startAgain(t, "--listen", "127.0.0.1:0", "--state", u.path("state"), u.path("sessions"))
	go io.Copy(io.Discard, lines)
	waitForText(t, s.url, "hello there")
	list := waitForText(t, s.url, "badge--wave")
	if says == "list" && !strings.Contains(list, filepath.Base(file)) {
		t.Error("the list in the browser does not say that it is damaged")
	}
	if _, page := fetchPage(t, s.url+"shares"); strings.Contains(page, "Nothing is shared") || strings.Contains(file, "/ID") && !strings.Contains(page, "Damaged") {
		t.Error("the page of shares does not say it")
	}
	keys := regexp.MustCompile(`href="/(sessions/[^"/?]+)"`).FindAllStringSubmatch(list, -1)
	if len(keys) != 2 {
		t.Errorf("listed are %v", keys)
	}
	for _, key := range keys {
		if status, page := fetchPage(t, s.url+key[1]); status != http.StatusOK || says == "check" && strings.Contains(key[1], linear) && !strings.Contains(page, filepath.Base(file)) {
			t.Errorf("%s: status %d", key[1], status)
		}
	}
	if status, _ := fetchPage(t, s.url+u.link); !slices.Contains([]int{http.StatusOK, http.StatusNotFound, http.StatusGone}, status) {
		t.Errorf("the link: status %d", status)
	}
	s.stopServer(t)
	if text := s.err.String(); strings.Contains(text, "panic") || strings.Contains(text, "level=ERROR") {
		t.Errorf("the log: %s", text)
	}
}
