package harness

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/network"
)

// maxTimelineLines is the maximum number of lines in a timeline. Older ones are dropped.
const maxTimelineLines = 4000

// timeline records the events of a page in order: steps of the test, console messages,
// requests and responses.
type timeline struct {
	began time.Time
	mu    sync.Mutex
	lines []string
	urls  map[network.RequestID]string
	count int     // of requests and sockets
	bytes float64 // received, with headers
}

func newTimeline() *timeline {
	return &timeline{began: time.Now(), urls: map[network.RequestID]string{}}
}

func (l *timeline) addLine(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.lines) == maxTimelineLines {
		l.lines = append([]string{"(older lines are dropped)"}, l.lines[maxTimelineLines/2:]...)
	}
	line := fmt.Sprintf("%8.3f ", time.Since(l.began).Seconds()) + fmt.Sprintf(format, args...)
	l.lines = append(l.lines, truncateLine(line))
}

// addEvent adds a network event. Calls do not overlap.
func (l *timeline) addEvent(event any) {
	l.countTraffic(event)
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, "data:") {
			l.urls[e.RequestID] = e.Request.Method + " " + e.Request.URL
			l.addLine("request  %s", l.urls[e.RequestID])
		}
	case *network.EventResponseReceived:
		if url := l.urls[e.RequestID]; url != "" {
			l.addLine("response %s: %d", url, e.Response.Status)
		}
	case *network.EventLoadingFailed:
		l.addLine("failed   %s: %s", l.urls[e.RequestID], e.ErrorText)
	case *network.EventWebSocketCreated:
		l.addLine("socket   %s", e.URL)
	case *network.EventWebSocketFrameSent:
		l.addLine("socket   sent %s", firstLine(e.Response.PayloadData))
	case *network.EventWebSocketFrameReceived:
		l.addLine("socket   received %s", firstLine(e.Response.PayloadData))
	case *network.EventWebSocketClosed:
		l.addLine("socket   closed")
	}
}

// countTraffic counts what a page transfers.
func (l *timeline) countTraffic(event any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, "data:") {
			l.count++
		}
	case *network.EventWebSocketCreated:
		l.count++
	case *network.EventLoadingFinished:
		l.bytes += e.EncodedDataLength
	}
}

// traffic returns the number of requests since the tab was opened, and the bytes received.
func (l *timeline) traffic() (requests, bytes int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.count, int(l.bytes)
}

func firstLine(text []byte) string {
	line, _, _ := strings.Cut(string(text), "\n")
	return line
}

func (l *timeline) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.lines, "\n") + "\n"
}
