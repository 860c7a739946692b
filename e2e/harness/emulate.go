package harness

import (
	"context"
	"os"
	"path/filepath"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// SetWindowSize sets the size of a desktop window.
func (p *Page) SetWindowSize(width, height int64) {
	p.t.Helper()
	p.RunActions(chromedp.EmulateViewport(width, height))
}

// EmulatePhone emulates a phone with 390 by 844 points and touch.
func (p *Page) EmulatePhone() {
	p.t.Helper()
	p.RunActions(chromedp.EmulateViewport(PhoneWidth, PhoneHeight, chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulatePortrait))
}

// EmulateLandscapePhone emulates a phone on its side, with 844 by 390 points and touch.
func (p *Page) EmulateLandscapePhone() {
	p.t.Helper()
	p.RunActions(chromedp.EmulateViewport(PhoneHeight, PhoneWidth, chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulateLandscape))
}

// EmulateTablet emulates a tablet with 1024 by 768 points and touch.
func (p *Page) EmulateTablet() {
	p.t.Helper()
	p.RunActions(chromedp.EmulateViewport(1024, 768, chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulateLandscape))
}

// EmulateTheme sets the preferred color scheme to "light" or "dark" and reduces motion.
func (p *Page) EmulateTheme(name string) {
	p.t.Helper()
	p.theme, p.motion = name, "reduce"
	p.emulatePreferences(name)
}

// emulatePreferences sets the preferred color scheme, and how much motion the page has. Empty
// values are those of the browser.
func (p *Page) emulatePreferences(theme string) {
	p.t.Helper()
	p.callBrowser(func(ctx context.Context) error {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: p.motion},
		}})
		return err
	})
}

// otherTheme returns "light" for "dark", and "dark" for "light", which the browser has.
func otherTheme(name string) string {
	if name == "dark" {
		return "light"
	}
	return "dark"
}

// EmulatePrint emulates the print media type.
func (p *Page) EmulatePrint(on bool) {
	p.t.Helper()
	media := ""
	if on {
		media = "print"
	}
	p.callBrowser(func(ctx context.Context) error {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: media})
		return err
	})
}

// SlowDown makes the processor slower for the page, by a factor.
func (p *Page) SlowDown(factor float64) {
	p.t.Helper()
	p.callBrowser(func(ctx context.Context) error {
		_, err := chromedp.Call(ctx, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: factor})
		return err
	})
}

// offlineParams are the parameters that disconnect a page. Chromium 148 requires the offline
// flag of the whole command, later versions that of each rule.
type offlineParams struct {
	network.EmulateNetworkConditionsByRuleParams
	Offline bool `json:"offline"`
}

// GoOffline disconnects the page from the network.
func (p *Page) GoOffline() {
	p.t.Helper()
	command := cdp.Command[offlineParams, cdp.Empty]{Method: network.CommandEmulateNetworkConditionsByRule}
	rule := &network.Conditions{Offline: true, DownloadThroughput: -1, UploadThroughput: -1}
	p.callBrowser(func(ctx context.Context) error {
		_, err := chromedp.Call(ctx, command, offlineParams{
			EmulateNetworkConditionsByRuleParams: network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*network.Conditions{rule}},
			Offline:                              true,
		})
		return err
	})
}

// DisableScript disables JavaScript for pages opened afterwards.
func (p *Page) DisableScript() {
	p.t.Helper()
	p.scriptDisabled = true
	p.callBrowser(func(ctx context.Context) error {
		_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	})
}

// AddInitScript runs a script at the start of every document opened afterwards.
func (p *Page) AddInitScript(script string) {
	p.t.Helper()
	p.callBrowser(func(ctx context.Context) error {
		_, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
		return err
	})
}

// ListenEvents lets a test subscribe to events of the tab before it opens a page. The
// subscription ends with the tab.
func (p *Page) ListenEvents(subscribe func(context.Context) error) {
	p.t.Helper()
	if err := subscribe(p.ctx); err != nil {
		p.t.Fatalf("browser: %v", err)
	}
}

// PrintPDF prints some pages of the page, such as "1-3", and returns the PDF file.
func (p *Page) PrintPDF(pages string) []byte {
	p.t.Helper()
	var data []byte
	p.callBrowser(func(ctx context.Context) error {
		pdf, err := chromedp.Call(ctx, page.PrintToPDF, page.PrintToPDFParams{PageRanges: pages})
		if err == nil {
			data = pdf.Data
		}
		return err
	})
	return data
}

// screenshot returns a screenshot of the window as PNG.
func (p *Page) screenshot() ([]byte, error) {
	ctx, cancel := p.callContext()
	defer cancel()
	return chromedp.Run(ctx, chromedp.CaptureScreenshot())
}

// WaitForRendering waits for fonts, visible images, and the end of animations.
func (p *Page) WaitForRendering() {
	p.t.Helper()
	p.WaitUntil(`document.fonts.status === "loaded" && [...document.images].every(i => i.complete || i.getBoundingClientRect().top > innerHeight || i.getBoundingClientRect().bottom < 0) &&
		document.getAnimations().every(a => a.playState !== "running" || a.effect.getComputedTiming().iterations === Infinity)`)
}

// SaveScreenshot writes a screenshot of the rendered window to SHOTS/name.png. It does nothing
// without SHOTS.
func (p *Page) SaveScreenshot(name string) {
	p.t.Helper()
	dir := os.Getenv("SHOTS")
	if dir == "" {
		return
	}
	p.WaitForRendering()
	png, err := p.screenshot()
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644)
	}
	if err != nil {
		p.t.Errorf("picture %s: %v", name, err)
	}
}
