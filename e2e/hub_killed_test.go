//go:build e2e

package e2e

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sessiontree/e2e/harness"
	"sessiontree/internal/session/archive"
	"sessiontree/internal/testgen/transcript"
)

// pushingLaptop is a computer whose agent writes while its explorer pushes.
type pushingLaptop struct {
	t      *testing.T
	home   string
	path   string // of its session
	random *rand.Rand
	f      *transcript.File
	text   []byte // of the file
	writes int
}

// readResponse returns a function that returns the body of a response.
func readResponse(t *testing.T) func(*http.Response, error) []byte {
	return func(resp *http.Response, err error) []byte {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return body
	}
}

// newDeviceCommand signs in to a hub and returns the command that adds a device.
func newDeviceCommand(t *testing.T, client *http.Client, hub *harness.Server) []string {
	t.Helper()
	body := readResponse(t)(client.PostForm(hub.URL+"/team/device", url.Values{"projects": {"project"}}))
	command := commandPattern.FindStringSubmatch(strings.ReplaceAll(string(body), "<", " <"))
	if command == nil {
		t.Fatalf("no command in %s", body)
	}
	return strings.Fields(command[1])
}

func newPushingLaptop(t *testing.T, n int, client *http.Client, hub *harness.Server) *pushingLaptop {
	t.Helper()
	l := &pushingLaptop{t: t, home: t.TempDir(), random: rand.New(rand.NewPCG(uint64(n), 1)), f: longSession(fmt.Sprintf("laptop-%d", n), 20)}
	harness.RunCommand(t, l.home, append(newDeviceCommand(t, client, hub), "--name", fmt.Sprintf("laptop-%d", n))...)
	dir := filepath.Join(l.home, ".pi", "agent", "sessions", "--project--")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	l.path = filepath.Join(dir, l.f.FileName(harness.SessionStart))
	l.rewrite()
	return l
}

func (l *pushingLaptop) rewrite() {
	l.text = l.f.Bytes()
	if err := os.WriteFile(l.path, l.text, 0o600); err != nil {
		l.t.Error(err)
	}
}

// write appends some lines, or rewrites the file as agents do.
func (l *pushingLaptop) write() {
	l.writes++
	if l.random.IntN(150) == 0 {
		l.f = longSession(fmt.Sprintf("laptop-%d", l.writes), 1+l.random.IntN(40))
		l.rewrite()
		return
	}
	n := 1 + l.random.IntN(3)
	for range n {
		l.f.AddPrompt(strings.Repeat("words ", l.random.IntN(400)))
	}
	lines := l.f.LastLines(n)
	l.text = append(l.text, lines...)
	f, err := os.OpenFile(l.path, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.Write(lines)
	}
	if err != nil {
		l.t.Error(err)
		return
	}
	if err := f.Close(); err != nil {
		l.t.Error(err)
	}
}

func (l *pushingLaptop) startPushing() (kill func()) {
	return harness.StartCommand(l.t, l.home, "push", "--watch", "--redact", "none", "--yes", "--project", "/home/dev/project")
}

// soakDuration returns how long agents write: HUB_SOAK, which make soak-hub sets.
func soakDuration(t *testing.T) time.Duration {
	t.Helper()
	text := os.Getenv("HUB_SOAK")
	if text == "" {
		return 12 * time.Second
	}
	duration, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return duration
}

// signInAdmin returns a client of the first admin of a hub that was just started.
func signInAdmin(t *testing.T, hub *harness.Server) *http.Client {
	t.Helper()
	harness.Until(t, "the link of the first admin", func() bool { return signInPattern.MatchString(hub.Output()) })
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	_, code, _ := strings.Cut(signInPattern.FindString(hub.Output()), "code=")
	resp, err := client.PostForm(hub.URL+"/signin", url.Values{"code": {code}})
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return client
}

// pushAndKill lets the agents of laptops write, and kills hubs and pushing explorers at random
// moments meanwhile. In the end all of them run.
func pushAndKill(t *testing.T, hubs []*harness.Server, laptops []*pushingLaptop, duration time.Duration) {
	t.Helper()
	end := time.Now().Add(duration)
	var writing sync.WaitGroup
	defer writing.Wait() // also when the test fails
	for _, l := range laptops {
		writing.Go(func() {
			for time.Now().Before(end) {
				l.write()
				time.Sleep(10 * time.Millisecond)
			}
		})
		writing.Go(func() {
			for time.Now().Before(end) {
				kill := l.startPushing()
				time.Sleep(rand.N(2 * time.Second))
				kill()
			}
		})
	}
	kills := 0
	for ; time.Now().Before(end); kills++ {
		time.Sleep(rand.N(1500 * time.Millisecond))
		hub := hubs[kills%len(hubs)]
		hub.Kill()
		time.Sleep(rand.N(300 * time.Millisecond))
		hub.StartAgain()
	}
	writing.Wait()
	for _, l := range laptops {
		l.startPushing()
	}
	t.Logf("%d kills of hubs", kills)
}

// checkStored waits until the newest generation of each session is its file, and checks that
// no generation has a gap or other bytes than were acknowledged.
func checkStored(t *testing.T, files archive.Store, laptops []*pushingLaptop) {
	t.Helper()
	for n, l := range laptops {
		harness.Until(t, fmt.Sprintf("all bytes of laptop %d on the hub", n), func() bool { return bytes.Equal(readNewest(t, files, l), l.text) })
	}
	generations := 0
	err := files.ListFiles(t.Context(), func(path string, heads []archive.Head) error {
		generations += len(heads)
		for _, h := range heads {
			f, err := files.OpenGeneration(t.Context(), path, h.Generation)
			if err != nil {
				return err
			}
			chain, err := archive.HashChain(f, h.End)
			f.Close()
			if err != nil || chain != h.Chain {
				t.Errorf("%s, generation %d: the chain is %x, want %x, %v", path, h.Generation, chain, h.Chain, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	t.Logf("%d generations", generations)
}

// readNewest returns the bytes of the newest generation of the session of a laptop.
func readNewest(t *testing.T, files archive.Store, l *pushingLaptop) (text []byte) {
	t.Helper()
	err := files.ListFiles(t.Context(), func(path string, heads []archive.Head) error {
		if filepath.Base(path) != filepath.Base(l.path) {
			return nil
		}
		f, err := files.OpenGeneration(t.Context(), path, heads[len(heads)-1].Generation)
		if err != nil {
			return err
		}
		defer f.Close()
		text, err = io.ReadAll(f)
		return err
	})
	if err != nil {
		t.Logf("reading the hub: %v", err) // it is being written
	}
	return text
}

// When a hub and the explorers that push to it are killed again and again, it has every byte
// once in the end.
func TestHub_Killed(t *testing.T) {
	if os.Getenv("HUB_SOAK") == "" {
		skipOutsideCI(t)
	}
	store := filepath.Join(t.TempDir(), "store")
	hub := harness.StartHub(t, "--store", store)
	client := signInAdmin(t, hub)
	var laptops []*pushingLaptop
	for n := range 4 {
		laptops = append(laptops, newPushingLaptop(t, n, client, hub))
	}
	pushAndKill(t, []*harness.Server{hub}, laptops, soakDuration(t))
	checkStored(t, archive.NewDir(filepath.Join(store, "archive")), laptops)
}
