package redact

import (
	"encoding/base64"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var both = map[string]bool{ClassKeys: true, ClassPersonal: true}

// dana holds the options of the user whose transcripts the tests share.
var dana = New(Options{Home: "/home/dana.w", User: "dana.w", Host: "kestrel"})

// Keys are generated at run time, so that no scanner reports this file.
const (
	hexes  = "0123456789abcdef"
	lower  = "abcdefghijklmnopqrstuvwxyz0123456789"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	letter = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
)

func made(alphabet string, n int) string {
	r := rand.New(rand.NewPCG(uint64(n), uint64(len(alphabet))))
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(b)
}

func pem(kind string, lines int, end bool) string {
	text := "-----BEGIN " + kind + "-----\n"
	for i := range lines {
		text += made(letter, 64-i%2) + "\n"
	}
	if end {
		text += "-----END " + kind + "-----"
	}
	return text
}

func token() string {
	part := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	return part(`{"alg":"HS256","typ":"JWT"}`) + "." + part(`{"sub":"41","name":"someone"}`) + "." + made(letter, 43)
}

func TestSecrets(t *testing.T) {
	for _, p := range plantedSecrets() {
		text := p.before + p.secret + p.after
		found := dana.findClasses(text, map[string]bool{ClassKeys: true})
		kinds := map[string]bool{}
		for _, f := range found {
			kinds[f.Kind] = true
		}
		out, _ := dana.RedactText(text, both)
		if strings.Contains(out, p.secret) || len(found) == 0 {
			t.Errorf("%s stays: %q", p.kind, out)
			continue
		}
		if !kinds[p.kind] && !strings.HasPrefix(p.before, "HEROKU") && !strings.HasPrefix(p.before, "key=") {
			t.Errorf("%q is found as %v, want %s", text, found, p.kind)
		}
		if !strings.HasPrefix(out, strings.TrimRight(p.before, `"' `)) && p.before != "" && !strings.HasPrefix(out, "[redacted") {
			t.Errorf("%s: what stands before it is gone: %q", p.kind, out)
		}
		if again, n := dana.RedactText(out, both); again != out || n != nil {
			t.Errorf("%s: a second look changes %q to %q", p.kind, out, again)
		}
	}
}

func TestMask(t *testing.T) {
	out, counts := dana.RedactText("a sk-ant-"+"api03-"+made(letter, 93)+"AA b", both)
	if want := "a [redacted: anthropic key] b"; out != want {
		t.Errorf("got %q, want %q", out, want)
	}
	if diff := cmp.Diff(map[string]int{"anthropic key": 1}, counts); diff != "" {
		t.Error(diff)
	}
}

func TestPersonal(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"/home/dana.w/src/a.go", "~/src/a.go"},
		{"cd /home/dana.w", "cd ~"},
		{"in /home/dana.w.", "in ~."},
		{`x\n/home/dana.w/b`, `x\n~/b`},
		{"file:///home/dana.w/a", "file://~/a"},
		{"/home/dana.w-old/x /home/dana.web", "~/x ~"},
		{"--home-dana.w-src--", "--home-user-src--"},
		{"Dana.W said; %2Fdana.w%2F", "user said; %2Fuser%2F"},
		{"adana.w dana.ws", "adana.w dana.ws"},
		{"ssh kestrel uptime; Kestrel.local", "ssh host uptime; host.local"},
		{"kestrels", "kestrels"},
		{"/home/bob/x /Users/Eve.M/Library", "~/x ~/Library"},
		{`<parameter name="file_path">/Users/tester/a.py</parameter>`, `<parameter name="file_path">~/a.py</parameter>`},
		{`C:\Users\bob\x and "C:\\Users\\bob\\x"`, `~\x and "~\\x"`},
		{"/home/user/x /home/runner/work /Users/you", "/home/user/x /home/runner/work /Users/you"},
		{"https://site.org/home/index /api/Users/42 src/home/page.tsx", "https://site.org/home/index /api/Users/42 src/home/page.tsx"},
		{"mail bob.b+x@mail.co.uk.", "mail [redacted: e-mail]."},
		{"<bob@site.io>", "<[redacted: e-mail]>"},
		{"git@github.com:a/b.git bob@host:x/y left-pad@1.3.0 logo@2x.png @scope/x.js me@example.com", "git@github.com:a/b.git bob@host:x/y left-pad@1.3.0 logo@2x.png @scope/x.js me@example.com"},
		{"noreply@anthropic.com 1+dana@users.noreply.github.com", "noreply@anthropic.com 1+dana@users.noreply.github.com"},
	} {
		if got, _ := dana.RedactText(c.text, both); got != c.want {
			t.Errorf("Replace(%q) = %q, want %q", c.text, got, c.want)
		}
		if got, n := dana.RedactText(c.text, map[string]bool{ClassKeys: true}); got != c.text || n != nil {
			t.Errorf("without personal data %q becomes %q", c.text, got)
		}
	}
}

// TestPlainNames checks that the default names of servers and images are no findings, because
// replacing them would change half of every transcript.
func TestPlainNames(t *testing.T) {
	r := New(Options{Home: "/root", User: "root", Host: "localhost"})
	got, _ := r.RedactText("root cause in /root/x and /rooted on localhost", both)
	if want := "root cause in ~/x and /rooted on localhost"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, _ := New(Options{Home: "/"}).RedactText("/a/b", both); got != "/a/b" {
		t.Errorf("a home that is the root: %q", got)
	}
}

func TestNotSecret(t *testing.T) {
	image := base64.StdEncoding.EncodeToString([]byte(made(letter, 30000)))
	for name, text := range map[string]string{
		"uuid":     "0a6c1f52-7d1e-4b0e-9a51-c1a5e0f00003 id=9b20f4ad-6d0c-4d5e-b1f4-6a2de0f00001",
		"git":      "commit " + made(hexes, 40) + "\nsourcegraph is a company\nindex 1a2b3c4..5d6e7f8",
		"hash":     "sha256:" + made(hexes, 64) + " h1:" + made(letter, 43) + "= sha512-" + made(letter, 86) + "==",
		"image":    image,
		"uri":      "![](data:image/png;base64," + image + ")",
		"minified": strings.Repeat(`!function(e,t){var n=e.key,r=t.token;n&&(r=function(e){return e.password=r,e.secret||n})}(this,a.s.b);`, 50),
		"code":     "apiKey := os.Getenv(\"API_KEY\")\ntoken: string; password: null\nMAX_TOKENS=4096\nconst API_KEY = process.env.API_KEY\nif SECRET == nil {",
		"env":      "API_KEY=$API_KEY\nTOKEN=${TOKEN}\nSECRET_KEY=<your key>\nDB_PASSWORD=your-password-here\nAPI_TOKEN=xxxxxxxxxxxx\nSSH_KEY_PATH=/etc/ssh/key\nAUTH_TOKEN=$(cat token)\nPRIMARY_KEY=user_id\nAPI_KEY=settings.api_key",
		"urls":     "http://localhost:8080/a@b https://x.org/a:b@c http://user:password@host postgres://$USER:$PASS@host git+ssh://git@host/x http://[::1]:80/@v/list",
		"prose":    "His thesis. The keys of the class. The token bucket; passwords. Basic authorization: bearer of the ring.",
		"headers":  "Authorization: Bearer $TOKEN, Authorization: Bearer <token>",
		"public":   "-----BEGIN PUBLIC KEY-----\n" + made(letter, 64) + "\n-----END PUBLIC KEY-----\n-----BEGIN CERTIFICATE-----",
		"talk":     "grep -n '-----BEGIN PRIVATE KEY-----' file, and -----END PRIVATE KEY----- too",
	} {
		if found := dana.Find(text); len(found) > 0 {
			f := found[0]
			t.Errorf("%s: %s: %.80q", name, f.Kind, text[f.Start:f.End])
		}
		if out, n := dana.RedactText(text, both); out != text || n != nil {
			t.Errorf("%s is changed", name)
		}
	}
}

// TestReplaceLeavesNothing checks that findings are in order, do not overlap, and are replaced
// completely.
func TestReplaceLeavesNothing(t *testing.T) {
	secrets := plantedSecrets()
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		var gone []string
		for range rapid.IntRange(1, 6).Draw(t, "parts") {
			p := rapid.SampledFrom(secrets).Draw(t, "secret")
			b.WriteString(rapid.SampledFrom([]string{"\n", " and\n", "\n/home/dana.w/x ", "\nkestrel: "}).Draw(t, "between"))
			b.WriteString(p.before + p.secret + p.after)
			gone = append(gone, p.secret)
		}
		b.WriteString("\n")
		text := b.String()
		at := 0
		for _, f := range dana.Find(text) {
			if f.Start < at || f.End <= f.Start || f.End > len(text) || f.Class != ClassKeys && f.Class != ClassPersonal {
				t.Fatalf("%+v after %d", f, at)
			}
			at = f.End
		}
		out, counts := dana.RedactText(text, both)
		for _, secret := range append(gone, "/home/dana.w", "kestrel") {
			if strings.Contains(out, secret) {
				t.Fatalf("%q stays in %q", secret, out)
			}
		}
		if len(counts) == 0 || len(dana.Find(out)) > 0 {
			t.Fatalf("left over: %v in %q", dana.Find(out), out)
		}
	})
}

// TestReplaceKeepsTheRest checks that a text without findings keeps every byte.
func TestReplaceKeepsTheRest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOf(rapid.Byte()).Draw(t, "text")) + rapid.String().Draw(t, "more")
		out, counts := dana.RedactText(text, both)
		if found := dana.Find(text); (len(found) == 0) != (out == text && counts == nil) {
			t.Fatalf("%v found in %q, and it becomes %q", found, text, out)
		}
	})
}

func FuzzReplace(f *testing.F) {
	for _, p := range plantedSecrets() {
		f.Add(p.before + p.secret + p.after)
	}
	f.Add(`C:\\Users\\bob /home/bob/home/eve@x.org curl -u a:b "x@kestrel.de"`)
	f.Fuzz(func(t *testing.T, text string) {
		out, _ := dana.RedactText(text, both)
		if left := dana.Find(out); len(left) > 0 {
			t.Fatalf("%q becomes %q, with %v", text, out, left)
		}
	})
}

func TestWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[ab@-]{1,4}`)
		all := rapid.SliceOfNDistinct(word, 1, 8, rapid.ID).Draw(t, "words")
		text := rapid.StringMatching(`[abAB@x-]{0,40}`).Draw(t, "text")
		type hit struct{ word, end int }
		var got, want []hit
		newWordMatcher(all).eachMatch(text, func(word, end, length int) {
			if length != len(all[word]) {
				t.Fatalf("%q is %d bytes long", all[word], length)
			}
			got = append(got, hit{word, end})
		})
		for end := range len(text) + 1 {
			for i, w := range all {
				if strings.HasSuffix(strings.ToLower(text[:end]), w) {
					want = append(want, hit{i, end})
				}
			}
		}
		order := func(a, b hit) int { return (a.end-b.end)*100 + a.word - b.word }
		slices.SortFunc(got, order)
		if !slices.Equal(got, want) {
			t.Fatalf("%v in %q: got %v, want %v", all, text, got, want)
		}
	})
}
