//go:build e2e

package e2e

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	"sessiontree/e2e/harness"
)

// startHoldingProxy starts a proxy that holds back the rest of a loading page after its
// progress until release is called, and adds one more progress message.
func startHoldingProxy(t *testing.T, server *harness.Server) (address string, release func()) {
	t.Helper()
	to, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	gate := make(chan struct{})
	proxy := &httputil.ReverseProxy{FlushInterval: -1}
	proxy.Rewrite = func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = r.In.Host              // the origin of the requesting page
		r.Out.Header.Del("Accept-Encoding") // an uncompressed response can be inspected
	}
	proxy.ModifyResponse = func(r *http.Response) error {
		if strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") {
			r.Body = &holdingBody{ReadCloser: r.Body, gate: gate}
		}
		return nil
	}
	s := httptest.NewServer(proxy)
	t.Cleanup(s.Close)
	release = sync.OnceFunc(func() { close(gate) })
	t.Cleanup(release)
	return s.URL, release
}

// holdingBody passes on a response up to its first progress message.
type holdingBody struct {
	io.ReadCloser
	gate <-chan struct{}
	rest []byte // sent after the gate has opened
	held bool
}

const progressMarkup = `role="status">Reading`

func (b *holdingBody) Read(p []byte) (int, error) {
	if b.held {
		<-b.gate
		b.held = false
	}
	if len(b.rest) > 0 {
		n := copy(p, b.rest)
		b.rest = b.rest[n:]
		return n, nil
	}
	n, err := b.ReadCloser.Read(p)
	at := bytes.Index(p[:n], []byte(progressMarkup))
	if at < 0 {
		return n, err
	}
	at += bytes.Index(p[at:n], []byte("</p>")) + len("</p>")
	more := "<p class=\"loading-text number\" role=\"status\">Reading 44.8 of 106 MB</p>"
	b.rest, b.held = append([]byte{}, p[at:n]...), true
	return copy(p, append(append([]byte{}, p[:at]...), more...)), nil
}

// writeBigSession writes a session that is large enough for a loading page, and returns
// its middle entry.
func writeBigSession(box *harness.SessionDir) (path, middle string) {
	f := longSession("e2e-big", 300)
	f.AddPrompt("Long ago: " + strings.Repeat("x", 3<<20))
	middle = f.AddReply("This is the middle.")
	f.AddPrompt("Then: " + strings.Repeat("y", 3<<20))
	for range 300 {
		f.AddPrompt("And on")
		f.AddReply("And on it goes.")
	}
	f.AddReply("This is the end.")
	return box.WriteSession(f), middle
}

// A large session that is not open shows a skeleton at once, then the progress, then the
// session.
func TestLoading(t *testing.T) {
	box := harness.NewSessionDir(t)
	path, middle := writeBigSession(box)
	server := harness.StartServer(t, box.Dir)
	key := strings.TrimPrefix(server.SessionURL(path), server.URL)
	waitForList(t, server)
	for _, theme := range []string{"light", "dark"} {
		for _, phone := range []bool{false, true} {
			server.Restart()
			waitForList(t, server)
			address, release := startHoldingProxy(t, server)
			p := sharedBrowser(t).NewPage(t)
			name := "loading-" + theme
			if phone {
				p.EmulatePhone()
				name = "phone-" + name
			}
			p.EmulateTheme(theme)
			p.RunScript("location.href = " + strconv.Quote(address+key+"?entry="+middle+"&filter=user-only"))
			p.WaitForElement(".skeleton")
			p.WaitForText(".loading-text:last-of-type", "44.8 of 106 MB")
			p.WaitForNone("#tree")
			p.SaveScreenshot(name)
			release()
			p.WaitForElement(pathItemSelector(middle) + ".is-target")
			waitForLive(p)
			p.WaitForElement("#tree .row.is-selected")
			p.WaitForNone("#loading")
			p.WaitForNone(".loading-text")
			waitForURL(p, "entry="+middle)
			p.Close() // it would request the session from the next server
		}
	}
}

// Without script the page is the same.
func TestLoading_withoutScript(t *testing.T) {
	box := harness.NewSessionDir(t)
	path, middle := writeBigSession(box)
	server := harness.StartServer(t, box.Dir)
	url := server.SessionURL(path)
	waitForList(t, server)
	p := sharedBrowser(t).NewPage(t)
	p.DisableScript()
	p.Open(url + "?entry=" + middle)
	p.WaitForText("#path", "This is the middle.")
	p.WaitForElement("#tree .row.is-selected")
}

// waitForList waits until the list of sessions is complete, because only then the sizes
// are known.
func waitForList(t *testing.T, server *harness.Server) {
	t.Helper()
	harness.Until(t, "the list", func() bool {
		_, body := server.GetPage("/healthz?verbose")
		return strings.Contains(body, `"complete":true`)
	})
}
