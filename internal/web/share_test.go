package web

import (
	"html"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sessiontree/internal/session/redact"
)

// shareable is a session with secrets, thinking, an image and another branch.
type shareable struct {
	path, base, first, second, other, leaf string
}

const aThought = "a thought of my own"

func newSharing(t *testing.T, change ...func(*siteConfig)) *site {
	t.Helper()
	return newSite(t, append([]func(*siteConfig){func(c *siteConfig) { c.Redactor = redact.New(redact.Options{Home: "/home/dev"}) }}, change...)...)
}

func newShareable(s *site, name string) shareable {
	s.t.Helper()
	tr := newTranscript(name)
	k := shareable{first: tr.user("Use " + aKey)}
	tr.answer(map[string]any{"type": "thinking", "thinking": aThought}, text("In /home/dev/atlas it is."), call("c1", "bash"))
	fork := tr.result("c1", "the output of "+name)
	k.other = tr.user("Another way, said aside")
	tr.answer(text("It is longer."))
	tr.last = fork
	k.second = tr.message("user", map[string]any{"content": []any{text("And now?"), map[string]any{"type": "image", "mimeType": "image/png", "data": pixel}}})
	k.leaf = tr.answer(text("Nothing."))
	k.path = s.write(name+".jsonl", tr)
	k.base = s.open(k.path)
	return k
}

var linkField = regexp.MustCompile(`id="share-link" value="([^"]*)"`)

// share creates a share as the dialog does, and returns the path of its link.
func (s *site) share(k shareable, form url.Values) string {
	s.t.Helper()
	a := s.post(k.base+"/shares?part=dialog", form)
	m := linkField.FindStringSubmatch(a.body)
	if a.StatusCode != http.StatusOK || m == nil {
		s.t.Fatalf("no link: status %d\n%.600s", a.StatusCode, a.body)
	}
	_, path, ok := strings.Cut(m[1], "/share/")
	if !ok {
		s.t.Fatalf("the link is %s", m[1])
	}
	return "/share/" + path
}

// rooms are the addresses below a link.
var rooms = []string{"", "/rows", "/path", "/facts", "/hits?q=and", "/news?since=1.1", "/lines/1", "/entries/e1", "/entries/e1?raw=1", "/entries/e6/image/0", "/download?as=jsonl", "/download?as=html"}

func TestShare(t *testing.T) {
	s := newSharing(t)
	k := newShareable(s, "0f0f0f0f")
	dialog := s.getOK(k.base + "/shares?part=dialog&entry=" + k.first)
	for _, want := range []string{"Share from “Use", "From this entry on", "The whole session", "github", `value="7" checked`, "6 entries", "Create link", "This computer", `name="name" value="Use [`} {
		if !strings.Contains(strings.ToLower(dialog.body), strings.ToLower(want)) {
			t.Errorf("the dialog lacks %q", want)
		}
	}
	if strings.Contains(dialog.body, aKey) {
		t.Error("the dialog tells the key")
	}
	if list := s.shares.List(); len(list) != 0 {
		t.Errorf("asking made %d shares", len(list))
	}
	link := s.share(k, url.Values{"chosen": {"1"}, "scope": {"all"}, "keep": {"7"}, "hold": {"output", "branches"}, "redact": {"keys", "personal"}, "name": {"A title"}, "note": {"A note"}, "by": {"Ada"}})
	for _, room := range rooms {
		if room == "/entries/e6/image/0" {
			continue // images are left out
		}
		a := s.get(link + room)
		if a.StatusCode != http.StatusOK && a.StatusCode != http.StatusResetContent {
			t.Errorf("%s: status %d", room, a.StatusCode)
		}
		for name, want := range map[string]string{"Cache-Control": cacheNever, "X-Robots-Tag": "noindex, nofollow", "Referrer-Policy": "no-referrer"} {
			if got := a.Header.Get(name); got != want {
				t.Errorf("%s: %s = %q, want %q", room, name, got, want)
			}
		}
		if a.Header.Get("ETag") != "" || len(a.Cookies()) != 0 {
			t.Errorf("%s: ETag %q, cookies %v", room, a.Header.Get("ETag"), a.Cookies())
		}
		for _, never := range []string{aKey, "/home/dev", aThought, "/sessions/", s.dir, filepath.Base(k.path), pixel, strings.TrimPrefix(k.base, "/sessions/")} {
			if strings.Contains(a.body, never) {
				t.Errorf("%s tells %q", room, never)
			}
		}
	}
	page := s.getOK(link).body
	for _, want := range []string{"A title", "A note", "<b>Ada</b>", "Another way", "Shared session", `data-live=""`, "the output of"} {
		if !strings.Contains(page+s.getOK(link+"/rows").body+s.getOK(link+"/path").body+s.getOK(link+"/download?as=jsonl").body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	file := s.getOK(link + "/download?as=jsonl")
	if got := file.Header.Get("Content-Disposition"); !strings.HasPrefix(got, "attachment") {
		t.Errorf("the file comes as %q", got)
	}
	if a := s.get(link + "/live"); a.StatusCode != http.StatusNotFound {
		t.Errorf("a share that does not follow has a socket: %d", a.StatusCode)
	}
	list := s.shares.List()
	if len(list) != 1 || list[0].Visits < 1 {
		t.Fatalf("listed %+v", list)
	}
	if a := s.post("/shares/"+list[0].ID+"/revoke", nil); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/shares" {
		t.Errorf("revoked: status %d", a.StatusCode)
	}
	for _, room := range rooms {
		if a := s.get(link + room); a.StatusCode != http.StatusGone || !strings.Contains(a.body, "revoked") || strings.Contains(a.body, "A title") {
			t.Errorf("%s after the end: status %d\n%.200s", room, a.StatusCode, a.body)
		}
	}
	if got := s.getOK("/shares").body; !strings.Contains(got, "Revoked") || !strings.Contains(got, "A title") || strings.Contains(got, link) {
		t.Errorf("the list: %.600s", got)
	}
	if a := s.post("/shares/"+list[0].ID+"/forget?part=list", nil); a.StatusCode != 200 || !strings.Contains(a.body, "Nothing is shared") {
		t.Errorf("forgotten: status %d", a.StatusCode)
	}
	if a := s.get(link); a.StatusCode != http.StatusNotFound {
		t.Errorf("a forgotten link: status %d", a.StatusCode)
	}
}

// The fields of the form select what is shared.
func TestShare_Choices(t *testing.T) {
	s := newSharing(t)
	k := newShareable(s, "0e0e0e0e")
	for name, tt := range map[string]struct {
		form     url.Values
		has, not []string
	}{
		"as usual":         {url.Values{}, []string{"said aside", "the output of"}, []string{aKey, "/home/dev", aThought, pixel}},
		"from here":        {url.Values{"entry": {k.second}}, []string{"And now?", "Nothing."}, []string{"said aside", "Use"}},
		"with a path":      {url.Values{"entry": {k.second}, "scope": {"path"}}, []string{"And now?", "Use"}, []string{"said aside"}},
		"one branch":       {url.Values{"chosen": {"1"}, "scope": {"all"}, "redact": {"keys"}}, []string{"And now?", "Use", "/home/dev"}, []string{"said aside", "the output of", aKey}},
		"the other":        {url.Values{"chosen": {"1"}, "scope": {"all"}, "leaf": {k.other}}, []string{"said aside", aKey}, []string{"And now?"}},
		"a leaf elsewhere": {url.Values{"chosen": {"1"}, "scope": {"below"}, "entry": {k.second}, "leaf": {k.other}}, []string{"Nothing."}, []string{"said aside"}},
		"everything":       {url.Values{"chosen": {"1"}, "scope": {"all"}, "hold": {"output", "thinking", "branches", "images"}}, []string{aThought, pixel, aKey, "/home/dev/atlas", "said aside"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			file := s.getOK(s.share(k, tt.form) + "/download?as=jsonl").body
			for _, want := range tt.has {
				if !strings.Contains(file, want) {
					t.Errorf("lacks %q", want)
				}
			}
			for _, never := range tt.not {
				if strings.Contains(file, never) {
					t.Errorf("holds %q", never)
				}
			}
		})
	}
}

func TestShare_Refused(t *testing.T) {
	s := newSharing(t)
	k := newShareable(s, "0d0d0d0d")
	for query, want := range map[string]int{
		"entry=gone": http.StatusNotFound, "keep=8": http.StatusUnprocessableEntity, "keep=x": http.StatusUnprocessableEntity, "scope=half": http.StatusUnprocessableEntity,
		"scope=below": http.StatusNotFound, "name=" + strings.Repeat("x", maxShareText+1): http.StatusUnprocessableEntity,
	} {
		form, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		if a := s.post(k.base+"/shares?part=dialog", form); a.StatusCode != want {
			t.Errorf("POST %.40s: status %d, want %d", query, a.StatusCode, want)
		}
		if a := s.get(k.base + "/shares?" + query); a.StatusCode != want {
			t.Errorf("GET %.40s: status %d, want %d", query, a.StatusCode, want)
		}
	}
	for _, url := range []string{"/shares/00000000/revoke", "/shares/..%2f/forget", "/shares/x/forget"} {
		if a := s.post(url, nil); a.StatusCode != http.StatusNotFound {
			t.Errorf("POST %s: status %d", url, a.StatusCode)
		}
	}
	if list := s.shares.List(); len(list) != 0 {
		t.Errorf("%d shares were made", len(list))
	}
	link := s.share(k, url.Values{})
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH", "OPTIONS"} {
		for _, room := range append(rooms, "/label", "/branch", "/shares", "/export") {
			if a := s.get(link+room, func(r *http.Request) { r.Method = method; r.Header.Set("Origin", s.http.URL) }); a.StatusCode != http.StatusMethodNotAllowed && a.StatusCode != http.StatusNotFound {
				t.Errorf("%s %s: status %d", method, room, a.StatusCode)
			}
		}
	}
}

// Omitted content is not searched for secrets.
func TestShare_ChecksIncludedOnly(t *testing.T) {
	s := newSharing(t)
	tr := newTranscript("0c0c0c15")
	tr.user("What is in it?")
	tr.answer(text("Let me see."), call("c1", "bash"))
	tr.result("c1", aKey)
	base := s.open(s.write("output.jsonl", tr)) + "/shares?part=dialog&chosen=1&scope=all"
	if with := s.getOK(base + "&hold=output").body; !strings.Contains(with, "github") {
		t.Error("the key in an output is not found")
	}
	if without := s.getOK(base).body; strings.Contains(without, "github") || !strings.Contains(without, "No secrets found") {
		t.Error("a key is found in what is left out")
	}
}

// The preview equals what viewers would see, and is not stored.
func TestShare_Preview(t *testing.T) {
	s := newSharing(t)
	k := newShareable(s, "0c0c0c12")
	a := s.getOK(k.base + "/shares?preview=1&chosen=1&scope=all&hold=output&redact=keys&redact=personal&keep=7&name=A+title&note=A+note&by=Ada")
	for _, want := range []string{"A title", "A note", "<b>Ada</b>", "Link expires", "And now?"} {
		if !strings.Contains(a.body, want) {
			t.Errorf("lacks %q", want)
		}
	}
	for _, never := range []string{aKey, "/home/dev", aThought, "/sessions/", filepath.Base(k.path)} {
		if strings.Contains(a.body, never) {
			t.Errorf("tells %q", never)
		}
	}
	if got := a.Header.Get("Content-Security-Policy"); !strings.Contains(got, "script-src 'sha256-") || strings.Contains(got, "unsafe") || a.Header.Get("Content-Disposition") != "" {
		t.Errorf("policy %q, disposition %q", got, a.Header.Get("Content-Disposition"))
	}
	if n := len(s.shares.List()); n != 0 {
		t.Errorf("%d shares", n)
	}
	if a := s.get(k.base + "/shares?preview=1&scope=half"); a.StatusCode != http.StatusUnprocessableEntity || a.Header.Get("Content-Security-Policy") != contentSecurityPolicy {
		t.Errorf("refused: status %d, policy %q", a.StatusCode, a.Header.Get("Content-Security-Policy"))
	}
}

// In read-only mode no share can be created or ended.
func TestShare_ReadOnly(t *testing.T) {
	s := newSharing(t)
	k := newShareable(s, "0c0c0c14")
	s.share(k, url.Values{})
	s.dialogs.readOnly = true
	if page := s.getOK("/shares").body; strings.Contains(page, "/revoke") || !strings.Contains(page, "Open until") {
		t.Errorf("the list: %.400s", page)
	}
	if page := s.getOK(k.base + "/shares").body; !strings.Contains(page, "--read-only") || strings.Contains(page, "change-submit") {
		t.Errorf("the dialog: %.400s", page)
	}
}

// For an empty session the dialog explains why it cannot be shared.
func TestShare_Nothing(t *testing.T) {
	s := newSharing(t)
	base := s.open(s.write("empty.jsonl", newTranscript("0c0c0c10")))
	if page := s.getOK(base + "/shares?part=dialog").body; !strings.Contains(page, "nothing to share yet") || strings.Contains(page, "change-submit") {
		t.Errorf("the dialog: %.600s", page)
	}
	if a := s.post(base+"/shares?part=dialog", url.Values{}); a.StatusCode != http.StatusUnprocessableEntity || len(s.shares.List()) != 0 {
		t.Errorf("status %d", a.StatusCode)
	}
}

// downloadLink matches the link of the share dialog to the export of the same part.
var downloadLink = regexp.MustCompile(`href="([^"]*/export[^"]*)"[^>]*>.*?Download the page to send it`)

// A dialog whose link opens on this computer only says so, and leads to the export of the
// same part as a page, with the defaults of exports.
func TestShareForm_LocalOnly(t *testing.T) {
	s := newSharing(t)
	k := newShareable(s, "0f0f0f10")
	for _, c := range []struct{ query, title, has, hasNot string }{
		{"entry=" + k.second, "From this entry on, 2 entries.", "And now?", "the output of"},
		{"chosen=1&scope=path&hold=branches&entry=" + k.second, "From this entry on, with the path to it, 5 entries.", "the output of", "Another way"},
		{"", "Whole tree, 7 entries.", "Another way", "no such text"},
		{"chosen=1&scope=all", "This path, 5 entries.", "And now?", "Another way"},
		{"chosen=1&scope=path&leaf=" + k.leaf + "&entry=" + k.first, "From this entry on, with the path to it, 5 entries.", "And now?", "Another way"},
	} {
		form := s.getOK(k.base + "/shares?part=dialog&" + c.query).body
		m := downloadLink.FindStringSubmatch(form)
		if m == nil || !strings.Contains(form, "The link opens on this computer only.") {
			t.Errorf("%s: no link to a download:\n%s", c.query, form)
			continue
		}
		link := html.UnescapeString(m[1])
		dialog := s.getOK(link).body
		if !strings.Contains(dialog, "Export as a web page") || !strings.Contains(dialog, c.title) || strings.Count(dialog, "checked") < 5 {
			t.Errorf("%s: the dialog of %s lacks %q:\n%s", c.query, link, c.title, dialog)
		}
		file := s.getOK(strings.Replace(link, "ask=1", "", 1))
		if !strings.Contains(file.body, c.has) || strings.Contains(file.body, c.hasNot) || strings.Contains(file.body, aKey) {
			t.Errorf("%s: %s holds the wrong part, want %q and not %q", c.query, link, c.has, c.hasNot)
		}
		if got := file.Header.Get("Content-Disposition"); !strings.HasPrefix(got, "attachment") {
			t.Errorf("%s: %s is not a download: %q", c.query, link, got)
		}
	}
	s = newSharing(t, func(c *siteConfig) { c.ShareBase = "http://atlas.lan" })
	k = newShareable(s, "0f0f0f11")
	if form := s.getOK(k.base + "/shares?part=dialog").body; strings.Contains(form, "this computer only") {
		t.Errorf("a link that opens everywhere is called local:\n%s", form)
	}
}
