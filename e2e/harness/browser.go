package harness

import (
	"context"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/chromedp/chromedp"
)

// Browser is one Chromium, shared by the tests of a package. Each test uses its own
// browser context.
type Browser struct {
	ctx  context.Context
	stop []context.CancelFunc
}

// CheapPages are options that save a fifth of the processor time of pages that live for a second: no
// process for graphics, which are painted in software anyway, one for all pages of a profile, and
// no optimized code of scripts.
var CheapPages = []chromedp.ExecAllocatorOption{
	chromedp.Flag("in-process-gpu", true),
	chromedp.Flag("disable-gpu-compositing", true),
	chromedp.Flag("disable-software-rasterizer", true),
	chromedp.Flag("process-per-site", true),
	chromedp.Flag("renderer-process-limit", "1"),
	chromedp.Flag("disable-site-isolation-trials", true),
	chromedp.Flag("num-raster-threads", "1"),
	chromedp.Flag("js-flags", "--no-opt --no-maglev"),
}

// NewBrowser starts Chromium with more options: CHROMIUM, or the first one in PATH. Chromium rarely
// crashes while it starts, before it has opened any page, so it is started up to three times.
func NewBrowser(t T, more ...chromedp.ExecAllocatorOption) *Browser {
	t.Helper()
	opts := []chromedp.ExecAllocatorOption{chromedp.Headless, chromedp.DisableGPU}
	opts = append(opts, chromedp.DefaultExecAllocatorOptions[:]...)
	for _, flag := range []string{"disable-quic", "no-first-run", "disable-background-networking", "disable-component-update", "disable-sync"} {
		opts = append(opts, chromedp.Flag(flag, true))
	}
	opts = append(opts, more...)
	if path := chromiumPath(); path != "" {
		opts = append(opts, chromedp.ExecPath(path))
	}
	for attempt := 1; ; attempt++ {
		browser, err := startChromium(opts)
		if err == nil {
			return browser
		}
		if attempt == 3 {
			t.Fatalf("start Chromium (e2e/chromium.sh tells how to get one): %v", err)
		}
		t.Logf("start Chromium again: %v", err)
	}
}

func startChromium(opts []chromedp.ExecAllocatorOption) (*Browser, error) {
	allocator, freeAllocator := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, stop := chromedp.NewContext(allocator)
	b := &Browser{ctx: ctx, stop: []context.CancelFunc{stop, freeAllocator}}
	slow := time.AfterFunc(Patience, stop) // a context with a deadline would end the browser
	err := chromedp.Do(ctx)
	slow.Stop()
	if err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

func chromiumPath() string {
	if path := os.Getenv("CHROMIUM"); path != "" {
		return path
	}
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// Close ends the browser.
func (b *Browser) Close() {
	for _, stop := range b.stop {
		stop()
	}
}

// Profile is a browser context: pages that share cookies and storage.
type Profile struct {
	t       T
	browser *Browser
	first   context.Context
	mu      sync.Mutex
}

// NewProfile returns a profile for the duration of the test.
func (b *Browser) NewProfile(t T) *Profile { return &Profile{t: t, browser: b} }

// newTab opens a tab. The first tab creates the browser context, later ones join it.
func (v *Profile) newTab() (context.Context, context.CancelFunc) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.first != nil {
		id := chromedp.FromContext(v.first).BrowserContextID
		return chromedp.NewContext(v.first, chromedp.WithExistingBrowserContext(id))
	}
	ctx, stop := chromedp.NewContext(v.browser.ctx, chromedp.WithNewBrowserContext())
	v.first = ctx
	return ctx, stop
}

// NewPage opens a page in a new profile.
func (b *Browser) NewPage(t T) *Page {
	t.Helper()
	return b.NewProfile(t).NewPage()
}
