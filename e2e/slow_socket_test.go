//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

// liveNotice is a notice received over the socket.
type liveNotice struct {
	Topic, Rev, Kind, Leaf string
	Entries                int
}

// dialLive opens /live and subscribes to one session.
func dialLive(t *testing.T, server *harness.Server, key string, dialer *websocket.Dialer) *websocket.Conn {
	t.Helper()
	conn, _, err := dialer.Dial("ws"+strings.TrimPrefix(server.URL, "http")+"/live", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() }) // the test may have closed it
	if err := conn.WriteJSON(map[string]any{"sub": []map[string]string{{"topic": "session:" + key, "rev": ""}}}); err != nil {
		t.Fatal(err)
	}
	return conn
}

// readNotice reads the next notice about a session.
func readNotice(t *testing.T, conn *websocket.Conn) liveNotice {
	t.Helper()
	for {
		if err := conn.SetReadDeadline(time.Now().Add(harness.Patience)); err != nil {
			t.Fatal(err)
		}
		_, data, err := conn.ReadMessage()
		if err != nil {
			t.Fatalf("the socket broke: %v", err)
		}
		var n liveNotice
		if err := json.Unmarshal(data, &n); err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		if strings.HasPrefix(n.Topic, "session:") {
			return n
		}
	}
}

// A client that reads slowly gets 10,000 notices with one rewrite. It receives the
// rewrite and the newest state, and delays no other client.
func TestSlowClient(t *testing.T) {
	const appends = 10_000
	box := harness.NewSessionDir(t)
	f := transcript.New(transcript.Pi, "e2e-stalled", "/home/dev/project", harness.SessionStart)
	f.AddPrompt("Begin")
	leaf := f.AddReply("Begun")
	path := box.WriteSession(f)
	server := harness.StartServer(t, box.Dir)
	key := server.SessionKey(path)

	small := &websocket.Dialer{NetDial: func(network, addr string) (net.Conn, error) {
		c, err := net.Dial(network, addr)
		if tcp, ok := c.(*net.TCPConn); ok && err == nil {
			err = tcp.SetReadBuffer(4096)
		}
		return c, err
	}}
	slow, fast := dialLive(t, server, key, small), dialLive(t, server, key, websocket.DefaultDialer)
	first := readNotice(t, fast)
	readNotice(t, slow)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	p.WaitForElement(rowSelector(leaf))
	waitForLive(p)

	notices := make(chan liveNotice, 2*appends)
	turn := make(chan struct{}, appends)
	go readNotices(fast, notices)
	slowly := make(chan liveNotice, appends)
	go readNoticesSlowly(slow, slowly, turn)

	parent := leaf
	for i := range appends {
		id := fmt.Sprintf("%08x", 0x10000000+i)
		line := fmt.Sprintf(`{"type":"message","id":%q,"parentId":%q,"timestamp":"2026-02-03T10:00:00.000Z","message":{"role":"user","content":"step %d"}}`, id, parent, i) + "\n"
		if i == appends/2 { // the file starts over with at most its old size
			box.ReplaceFile(path, f.Bytes())
			line = strings.Replace(line, parent, leaf, 1)
		}
		box.AppendFile(path, []byte(line))
		parent = id
		if i%50 == 49 { // stay in step with the fast client, whose notices are counted
			waitForNotice(t, notices, parent)
			sendPong(t, slow)
		}
		if i%500 == 499 {
			turn <- struct{}{}
		}
	}
	close(turn)

	// The slow client reaches the same state and has received the rewrite.
	epochs, last := map[string]bool{}, liveNotice{}
	rewritten := false
	for last.Leaf != parent {
		select {
		case last = <-slowly:
			epochs[strings.Split(last.Rev, ".")[0]] = true
			rewritten = rewritten || last.Kind == "rewrite"
		case <-time.After(harness.Patience):
			t.Fatalf("the stalled reader ended at %+v, want leaf %s", last, parent)
		}
	}
	if !rewritten {
		t.Error("the stalled reader was never told of the rewrite")
	}
	if was := strings.Split(first.Rev, ".")[0]; epochs[was] && len(epochs) < 2 {
		t.Errorf("the epoch %s did not change with the rewrite", was)
	}
	p.WaitForElement(rowSelector(parent))
	if resp, _ := server.GetPage("/sessions/" + key + "/news?since=" + first.Rev); resp.StatusCode != 205 {
		t.Errorf("rows since before the rewrite: status %d, want 205", resp.StatusCode)
	}
}

// readNotices reads all notices as they arrive.
func readNotices(conn *websocket.Conn, to chan<- liveNotice) {
	defer close(to)
	for {
		var n liveNotice
		if conn.SetReadDeadline(time.Now().Add(harness.Patience)) != nil || conn.ReadJSON(&n) != nil {
			return
		}
		to <- n
	}
}

// readNoticesSlowly reads one notice per value of turn, and the rest after turn is
// closed.
func readNoticesSlowly(conn *websocket.Conn, to chan<- liveNotice, turn <-chan struct{}) {
	for range turn {
		var n liveNotice
		if conn.ReadJSON(&n) != nil {
			close(to)
			return
		}
		to <- n
	}
	readNotices(conn, to)
}

// sendPong sends the pong that the server expects, because a slow client would read the
// ping too late.
func sendPong(t *testing.T, conn *websocket.Conn) {
	t.Helper()
	if err := conn.WriteControl(websocket.PongMessage, nil, time.Now().Add(harness.Patience)); err != nil {
		t.Fatalf("the slow reader was cut off: %v", err)
	}
}

// waitForNotice reads notices until one has the given leaf.
func waitForNotice(t *testing.T, notices <-chan liveNotice, leaf string) {
	t.Helper()
	for end := time.After(harness.Patience); ; {
		select {
		case n, ok := <-notices:
			if !ok {
				t.Fatal("the fast reader's socket broke")
			}
			if n.Leaf == leaf {
				return
			}
		case <-end:
			t.Fatalf("no notice of %s", leaf)
		}
	}
}
