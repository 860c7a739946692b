package main

import (
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
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
// a line on a device until a colleague's page is notified, and the memory of the hub.
func (b *benchmark) measureHub() {
	hub := harness.StartHub(b, "--store", filepath.Join(b.TempDir(), "store"))
	defer hub.Stop()
	harness.Until(b, "the link of the first admin", func() bool { return signInLink.MatchString(hub.Output()) })
	admin := signInToHub(b, signInLink.FindString(hub.Output()))
	devices := make([]*pushingDevice, pushingDevices)
	for n := range devices {
		devices[n] = newPushingDevice(b, n, admin, hub)
	}
	postForm(b, admin, hub.URL+"/team/projects", url.Values{"name": {"project"}, "visibility": {"team"}, "days": {"0"}})
	colleague := signInToHub(b, signInLink.FindString(postForm(b, admin, hub.URL+"/team/people", url.Values{"name": {"Colleague"}, "role": {"reader"}})))
	seen := followSession(b, colleague, hub)

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
	var took durations
	for time.Now().Before(end) {
		select {
		case leaf := <-seen:
			if wrote, ok := devices[0].wrote.Load(leaf); ok {
				took = append(took, time.Since(wrote.(time.Time)))
			}
		case <-time.After(time.Second):
		}
	}
	pushing.Wait()
	b.table.addQuantiles(fmt.Sprintf("a line on one of %d pushing devices to the notice at a colleague's page", pushingDevices), took, 400*time.Millisecond, 1500*time.Millisecond, "", "")
	memory, _ := hub.Memory("VmHWM")
	b.table.addMemory("  memory of the hub, peak", memory, 300e6)
}
