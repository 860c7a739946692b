package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"github.com/klauspost/compress/zstd"

	"sessiontree/e2e/harness"
	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/push"
	"sessiontree/internal/session/push/wire"
	"sessiontree/internal/testgen/transcript"
)

// benchSession matches the link to a session on the page of a team.
var benchSession = regexp.MustCompile(`/sessions/([0-9a-f]+)"`)

// signInToHub returns a client that has signed in with a link.
func signInToHub(b *benchmark, link string) *http.Client {
	jar, err := cookiejar.New(nil)
	if err != nil {
		b.Fatalf("%v", err)
	}
	client := &http.Client{Jar: jar}
	at, code, _ := strings.Cut(link, "?code=")
	postForm(b, client, at, url.Values{"code": {code}})
	return client
}

// postForm sends a form and returns the page.
func postForm(b *benchmark, client *http.Client, address string, form url.Values) string {
	resp, err := client.PostForm(address, form)
	if err != nil {
		b.Fatalf("%v", err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		b.Fatalf("POST %s: %s, %v", address, resp.Status, err)
	}
	return string(body)
}

// pushingDevice pushes a session as explorer push does.
type pushingDevice struct {
	account push.Account
	file    *transcript.File
	text    []byte // that was pushed
	id      string // of the file on the hub
	encoder *zstd.Encoder
	wrote   sync.Map // times by the id of the entry
}

// newPushingDevice adds a device and pushes a session.
func newPushingDevice(b *benchmark, n int, admin *http.Client, hub *harness.Server) *pushingDevice {
	code := pushCommand.FindStringSubmatch(postForm(b, admin, hub.URL+"/team/device", url.Values{"projects": {"project"}}))
	a, err := push.Enroll(context.Background(), hub.URL, code[1], fmt.Sprintf("device-%d", n))
	if err != nil {
		b.Fatalf("%v", err)
	}
	d := &pushingDevice{account: a, file: transcript.New(transcript.Pi, fmt.Sprintf("bench-hub-%03d", n), "/home/dev/project", time.Now())}
	if d.encoder, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true)); err != nil {
		b.Fatalf("%v", err)
	}
	path := "/pi/" + d.file.FileName(time.Now())
	body, err := json.Marshal(wire.Heads{Files: []wire.File{{Path: path, Session: path, Project: "project", Format: "pi", Rules: "none"}}})
	if err != nil {
		b.Fatalf("%v", err)
	}
	var heads wire.HeadsResult
	if err := json.Unmarshal(d.send(b, http.MethodPost, wire.HeadsPath, body, http.StatusOK), &heads); err != nil || len(heads.Files) != 1 {
		b.Fatalf("heads: %v", err)
	}
	d.id = heads.Files[0].ID
	d.file.AddPrompt(fmt.Sprintf("Task of device %d", n))
	d.pushBytes(b, d.file.Bytes())
	return d
}

// pushLine adds an entry to the session and pushes its line.
func (d *pushingDevice) pushLine(b *benchmark) {
	id := d.file.AddPrompt(strings.Repeat("words ", 80))
	d.wrote.Store(id, time.Now())
	d.pushBytes(b, d.file.LastLines(1))
}

func (d *pushingDevice) pushBytes(b *benchmark, data []byte) {
	path := fmt.Sprintf("%s%s/1?off=%d", wire.FilesPath, d.id, len(d.text))
	chain, err := archive.HashChain(bytes.NewReader(d.text), int64(len(d.text)))
	if err != nil {
		b.Fatalf("%v", err)
	}
	d.send(b, http.MethodPut, path, d.encoder.EncodeAll(data, nil), http.StatusNoContent, wire.ChainHeader, wire.FormatChain(chain), wire.TimeHeader, fmt.Sprint(time.Now().UnixNano()))
	d.text = append(d.text, data...)
}

// send sends a request of the device and returns the body of the response.
func (d *pushingDevice) send(b *benchmark, method, path string, body []byte, status int, headers ...string) []byte {
	r, err := http.NewRequestWithContext(context.Background(), method, d.account.Hub+path, bytes.NewReader(body))
	if err != nil {
		b.Fatalf("%v", err)
	}
	r.Header.Set("Authorization", "Bearer "+d.account.Token)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := deviceClient.Do(r)
	if err != nil {
		b.Fatalf("%v", err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != status {
		b.Fatalf("%s %s: %s, %s, %v", method, path, resp.Status, text, err)
	}
	return text
}

// deviceClient keeps a connection for each device.
var deviceClient = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: pushingDevices}}

// findSession returns the key of the session of the first device, as soon as all are listed.
func findSession(b *benchmark, client *http.Client, hub *harness.Server) (key string) {
	harness.Until(b, "all sessions in the list", func() bool {
		resp, err := client.Get(hub.URL + "/?rows=400")
		if err != nil {
			b.Fatalf("%v", err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			b.Fatalf("%v", err)
		}
		rows := strings.Split(string(body), `<li class="team-row"`)
		for _, row := range rows {
			if m := benchSession.FindStringSubmatch(row); m != nil && strings.Contains(row, "Task of device 0<") {
				key = m[1]
			}
		}
		return key != "" && len(rows) > pushingDevices
	})
	return key
}

// followSession follows a session as a page does, and sends the leaf of each notice.
func followSession(b *benchmark, client *http.Client, hub *harness.Server, key string) <-chan string {
	resp, err := client.Get(hub.URL + "/sessions/" + key)
	if err != nil {
		b.Fatalf("%v", err)
	}
	resp.Body.Close()
	dialer := websocket.Dialer{Jar: client.Jar}
	socket, _, err := dialer.Dial(strings.Replace(hub.URL, "http", "ws", 1)+"/live", nil)
	if err != nil {
		b.Fatalf("%v", err)
	}
	if err := socket.WriteJSON(map[string]any{"sub": []map[string]string{{"topic": "session:" + key, "rev": ""}}}); err != nil {
		b.Fatalf("%v", err)
	}
	seen := make(chan string, 1000)
	go func() {
		defer socket.Close()
		for {
			var notice struct{ Leaf string }
			if socket.ReadJSON(&notice) != nil {
				return
			}
			seen <- notice.Leaf
		}
	}()
	return seen
}
