package main

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"sessiontree/e2e/harness"
)

const (
	pushingDevices = 200
	pushInterval   = 500 * time.Millisecond // between two lines of a device
	pushTime       = 30 * time.Second
)

var (
	signInLink  = regexp.MustCompile(`http\S+/signin\?code=[A-Z0-9-]+`)
	pushCommand = regexp.MustCompile(`push --hub \S+ --code ([A-Z0-9-]+)`)
)

// measureHub measures a hub to which 200 devices push two lines a second each: the time from
// a line on a device until a colleague's page is notified and has painted the entry, and the memory
// of the hub.
func (b *benchmark) measureHub() {
	hub, admin, where := startBenchHub(b, b.TempDir())
	defer hub.Stop()
	devices := make([]*pushingDevice, pushingDevices)
	for n := range devices {
		devices[n] = newPushingDevice(b, n, admin, hub)
	}
	postForm(b, admin, hub.URL+"/team/projects", url.Values{"name": {"project"}, "visibility": {"team"}, "days": {"0"}})
	invite := func() string {
		return signInLink.FindString(postForm(b, admin, hub.URL+"/team/people", url.Values{"name": {"Colleague"}, "role": {"reader"}}))
	}
	colleague := signInToHub(b, invite())
	key := findSession(b, colleague, hub)
	seen := followSession(b, colleague, hub, key)
	page := openHubPage(b, invite(), hub.URL+"/sessions/"+key)
	defer page.Close()

	noticed := pushFor(b, devices, seen)
	b.table.addQuantiles(fmt.Sprintf("%s: a line on one of %d pushing devices to the notice at a colleague's page", where, pushingDevices), noticed, 400*time.Millisecond, 1500*time.Millisecond, "", "")
	b.table.addQuantiles("  to the painted entry in a colleague's browser", paintTimes(b, page, devices[0]), 400*time.Millisecond, 1500*time.Millisecond, "", "")
	memory, _ := hub.Memory("VmHWM")
	b.table.addMemory("  memory of the hub, peak", memory, 300e6)
}

// startBenchHub starts a hub with a new store in a directory, or with that of the flags, and signs its
// first admin in. where names the kind of the store.
func startBenchHub(b *benchmark, dir string) (hub *harness.Server, admin *http.Client, where string) {
	store, where := b.hubStore, strings.Join(b.hubStore[:min(1, len(b.hubStore))], "")
	if len(store) == 0 {
		store, where = []string{"--store", dir}, "--store"
	}
	hub = harness.StartHub(b, store...)
	harness.Until(b, "the link of the first admin", func() bool { return signInLink.MatchString(hub.Output()) })
	return hub, signInToHub(b, signInLink.FindString(hub.Output())), where
}

// pushFor lets all devices push for a while. It returns the times until the notices about lines of
// the first one.
func pushFor(b *benchmark, devices []*pushingDevice, seen <-chan string) (noticed durations) {
	var pushing sync.WaitGroup
	end := time.Now().Add(pushTime)
	for n, d := range devices {
		pushing.Go(func() {
			time.Sleep(time.Duration(n) * pushInterval / pushingDevices)
			for next := time.Now(); next.Before(end); next = next.Add(pushInterval) {
				time.Sleep(time.Until(next))
				d.pushLine(b)
			}
		})
	}
	for time.Now().Before(end) {
		select {
		case leaf := <-seen:
			if wrote, ok := devices[0].wrote.Load(leaf); ok {
				noticed = append(noticed, time.Since(wrote.(time.Time)))
			}
		case <-time.After(time.Second):
		}
	}
	pushing.Wait()
	return noticed
}

// openHubPage signs in with a link in a browser and opens a session, which notes when it paints
// entries.
func openHubPage(b *benchmark, link, session string) *harness.Page {
	page := b.browser.NewPage(b)
	page.AddInitScript(appendPaintScript)
	page.Open(link)
	page.Click(`form[action="/signin"] button`)
	page.WaitForElement("#team")
	page.Open(session)
	page.WaitUntil(sessionIsLive)
	return page
}

// paintTimes returns the times from the lines of a device until a page had painted their entries.
func paintTimes(b *benchmark, page *harness.Page, d *pushingDevice) (took durations) {
	skew := b.clockSkew(page)
	d.wrote.Range(func(id, wrote any) bool {
		ms := harness.EvalScript[float64](page, fmt.Sprintf(`whenPainted(%q)`, id))
		took = append(took, time.UnixMicro(int64(ms*1000)).Add(skew).Sub(wrote.(time.Time)))
		return true
	})
	return took
}
