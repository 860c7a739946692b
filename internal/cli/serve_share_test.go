package cli

import (
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// startSharing calls startServer with --share-listen and returns the address of shares.
func startSharing(t *testing.T, args ...string) (s *testServer, shares string) {
	t.Helper()
	s, lines := startPrinting(t, append([]string{"--listen", "127.0.0.1:0", "--share-listen", "127.0.0.1:0"}, args...)...)
	second, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, lines)
	shares, from, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(second), "Shares: "), "/share/…")
	if named := slices.Contains(args, "--share-url"); named != strings.HasPrefix(from, " from 127.0.0.1:") || named == (from == "") {
		t.Errorf("shares are served%s", from)
	}
	if !ok {
		t.Fatalf("shares are at %q", second)
	}
	return s, shares
}

// makeLink shares the only session of a server and returns the link.
func makeLink(t *testing.T, s *testServer) string {
	t.Helper()
	_, rest, _ := strings.Cut(waitForText(t, s.url, "hello there"), `href="/sessions/`)
	key, _, _ := strings.Cut(rest, `"`)
	res, err := http.PostForm(s.url+"sessions/"+key+"/shares", url.Values{})
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	link := regexp.MustCompile(`id="share-link" value="([^"]*)"`).FindStringSubmatch(string(body))
	if err != nil || link == nil {
		t.Fatalf("no link: %d %v %.400s", res.StatusCode, err, body)
	}
	return link[1]
}

// The address of shares serves nothing else and needs no token.
func TestServeShares(t *testing.T) {
	dir := t.TempDir()
	writeSessionFile(t, dir)
	s, shares := startSharing(t, dir)
	link := makeLink(t, s)
	if !strings.HasPrefix(link, shares+"/share/") {
		t.Errorf("the link is %s, shares are at %s", link, shares)
	}
	status, page := fetchPage(t, link)
	if status != http.StatusOK || !strings.Contains(page, "hello there") {
		t.Fatalf("the link: status %d", status)
	}
	_, rest, _ := strings.Cut(page, `<link rel="stylesheet" href="`)
	style, _, _ := strings.Cut(rest, `"`)
	for url, want := range map[string]int{
		style: 200, "/healthz": 200, "/favicon.ico": 200, "/": 404, "/sessions": 404, "/shares": 404, "/live": 404, "/share": 404, "/share/": 404, "/healthz?verbose": 200,
	} {
		if status, body := fetchPage(t, shares+url); status != want || url == "/healthz?verbose" && body != "ok\n" {
			t.Errorf("%s: status %d, want %d", url, status, want)
		}
	}
	if status, _ := fetchPage(t, strings.Replace(link, shares, strings.TrimSuffix(s.url, "/"), 1)); status != http.StatusOK {
		t.Errorf("on the explorer's own address: status %d", status)
	}
	res, err := http.PostForm(link, nil)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusMethodNotAllowed || len(res.Cookies()) != 0 {
		t.Errorf("POST: status %d, cookies %v", res.StatusCode, res.Cookies())
	}
	s.stopServer(t)
	if _, err := http.Get(shares + "/healthz"); err == nil {
		t.Error("shares are still served after the end")
	}
}

// Requests with the host name of the links are accepted, others are refused.
func TestServeShares_Name(t *testing.T) {
	dir := t.TempDir()
	writeSessionFile(t, dir)
	s, base := startSharing(t, "--share-url", "https://share.example/", dir)
	if base != "https://share.example" {
		t.Errorf("shares are at %s", base)
	}
	if link := makeLink(t, s); !strings.HasPrefix(link, "https://share.example/share/") {
		t.Errorf("the link is %s", link)
	}
}

func TestServeShares_Hosts(t *testing.T) {
	_, shares := startSharing(t, t.TempDir())
	for host, want := range map[string]int{"": 200, "localhost": 200, "evil.example": 421, "127.0.0.1.nip.io": 421} {
		req, err := http.NewRequest("GET", shares+"/healthz", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = host
		res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("Host %q: status %d, want %d", host, res.StatusCode, want)
		}
	}
}

// A live share follows its session from the start of the program, whichever program
// created it.
func TestServeLiveShare(t *testing.T) {
	state, dir := t.TempDir(), t.TempDir()
	path := writeSessionFile(t, dir)
	var out, bad strings.Builder
	if status := runCommandLine(t.Context(), []string{"share", path, "--live", "--state", state, "--share-url", "https://share.example"}, &out, &bad); status != statusDone {
		t.Fatal(bad.String())
	}
	link, _, _ := strings.Cut(out.String(), "\n")
	_, token, _ := strings.Cut(link, "/share/")
	if err := os.WriteFile(path, []byte(headerLine+promptLine("a", "", "hello there")+promptLine("b", "a", "while it was away")), 0o600); err != nil {
		t.Fatal(err)
	}
	s := startServer(t, "--listen", "127.0.0.1:0", "--state", state, dir)
	waitForText(t, s.url+"share/"+token, "while it was away")
}
