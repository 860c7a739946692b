package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"sessiontree/internal/session/store"
)

const linearName = "0aa11111-1111-4111-8111-111111111111"

// linearAgent writes a session file like an agent whose sessions have no branches: it
// appends, rewinds by rewriting the file, and starts sub-agents.
type linearAgent struct {
	b     *testing.B
	path  string
	lines []string
	next  int
	ago   time.Duration // age of the lines it writes
	rest  string        // the rest of a partial line
}

func (a *linearAgent) message(more string) string {
	a.next++
	role := []string{"assistant", "user"}[a.next%2]
	at := a.stamp()
	return fmt.Sprintf(`{"timestamp":%q,"id":"msg-%08d","role":%q,"blocks":[{"type":"text","content":%q}%s]}`+"\n",
		at, a.next, role, strings.Repeat("words ", 100), more)
}

func (a *linearAgent) stamp() string {
	return time.Now().Add(-a.ago).UTC().Format("2006-01-02T15:04:05.000Z")
}

func (a *linearAgent) write(path, text string, flag int) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|flag, 0o600)
	if err == nil {
		_, err = f.WriteString(text)
		if closed := f.Close(); err == nil {
			err = closed
		}
	}
	if err != nil {
		a.b.Fatal(err)
	}
}

func (a *linearAgent) append(more string) {
	line := a.message(more)
	a.lines = append(a.lines, line)
	a.write(a.path, line, os.O_APPEND)
}

// rewind removes some of the last messages. The header is removed with them.
func (a *linearAgent) rewind() {
	if strings.Contains(a.lines[0], "metadata") {
		a.lines = a.lines[1:]
	}
	a.lines = a.lines[:max(len(a.lines)-1-rand.IntN(3), 1)]
	a.write(a.path, strings.Join(a.lines, ""), os.O_TRUNC)
}

// begin writes the first half of a line, or the rest of it.
func (a *linearAgent) begin() {
	if a.rest == "" {
		line := a.message("")
		a.write(a.path, line[:30], os.O_APPEND)
		a.rest = line[30:]
		return
	}
	a.write(a.path, a.rest, os.O_APPEND)
	a.rest = ""
}

// spawn records a call of a sub-agent and creates its file.
func (a *linearAgent) spawn() {
	task := fmt.Sprintf("Look at part %d of the cart module", a.next)
	prompt := strings.Replace(a.message(""), strings.Repeat("words ", 100), task, 1)
	a.write(filepath.Join(filepath.Dir(a.path), fmt.Sprintf("subagent-0bb22222-2222-4222-8222-%012d.jsonl", a.next)), prompt, os.O_EXCL)
	a.append(fmt.Sprintf(`,{"type":"tool","id":"t%d","name":"Agent","parameters":%q,"stage":"end"}`, a.next, fmt.Sprintf(`{"prompt":%q}`, task)))
}

// newLinearAgent creates a project with other sessions and agents next to the followed
// one.
func newLinearAgent(b *testing.B, dir string, c *noticeCase) *linearAgent {
	project := filepath.Join(dir, "home-dev-shop")
	if err := os.MkdirAll(project, 0o700); err != nil {
		b.Fatal(err)
	}
	header := func(a *linearAgent) string {
		return fmt.Sprintf(`{"type":"metadata","workdir":"/home/dev/shop","createdAt":%q}`+"\n", a.stamp())
	}
	for i := range c.sessions + c.agents {
		name := fmt.Sprintf("0cc33333-3333-4333-8333-%012d.jsonl", i)
		if i >= c.sessions {
			name = "subagent-" + name
		}
		o := &linearAgent{b: b, path: filepath.Join(project, name), ago: time.Duration(i+1) * time.Hour}
		o.lines = []string{header(o)}
		for range 40 {
			o.lines = append(o.lines, o.message(""))
		}
		o.write(o.path, strings.Join(o.lines, ""), os.O_TRUNC)
		past := time.Now().Add(-o.ago)
		if err := os.Chtimes(o.path, past, past); err != nil {
			b.Fatal(err)
		}
	}
	a := &linearAgent{b: b, path: filepath.Join(project, linearName+".jsonl")}
	a.lines = []string{header(a)}
	for range c.messages {
		a.lines = append(a.lines, a.message(""))
	}
	a.write(a.path, strings.Join(a.lines, ""), os.O_TRUNC)
	return a
}

// noticeTimes collects the times at which notices of a topic arrive.
func noticeTimes(conn *websocket.Conn, topic string) <-chan time.Time {
	heard := make(chan time.Time, 1000)
	go func() {
		defer close(heard)
		for {
			var n struct{ Topic, Kind string }
			if conn.ReadJSON(&n) != nil {
				return
			}
			if n.Topic == topic && n.Kind != "remove" {
				heard <- time.Now()
			}
		}
	}()
	return heard
}

// noticeCase is a project and the changes made to the followed session.
type noticeCase struct {
	name                       string
	sessions, agents, messages int
	library                    bool // follow the list instead of the session
	step                       func(a *linearAgent)
}

// BenchmarkNotices measures the time from a change of a file to the notice on the socket.
// Each state of the file stays for at least 200 ms. A state without a notice in that time
// counts as missed.
func BenchmarkNotices(b *testing.B) {
	message := func(a *linearAgent) { a.append("") }
	for _, c := range []noticeCase{
		{"append", 3, 0, 40, false, message},
		{"append/long", 3, 0, 20000, false, message},
		{"append/many", 1000, 50, 40, false, message},
		{"rewind", 3, 0, 1000, false, (*linearAgent).rewind},
		{"rewind/many", 1000, 50, 1000, false, (*linearAgent).rewind},
		{"subagent", 3, 5, 40, false, (*linearAgent).spawn},
		{"subagent/many", 1000, 50, 40, false, (*linearAgent).spawn},
		{"unfinished", 3, 0, 40, false, (*linearAgent).begin},
		{"list/many", 1000, 0, 40, true, message},
	} {
		b.Run(c.name, c.run)
	}
}

func (c *noticeCase) run(b *testing.B) {
	dir := b.TempDir()
	a := newLinearAgent(b, dir, c)
	s := startServer(b, "--listen", "127.0.0.1:0", dir)
	key := store.DeriveKey("wave", linearName, a.path)
	waitForText(b, s.url+"sessions/"+key, "words")
	conn, topic := subscribe(b, s.url, key), "session:"+key
	if c.library {
		topic = "library"
		_ = conn.WriteJSON(map[string]any{"sub": []map[string]string{{"topic": topic}}})
	}
	heard := noticeTimes(conn, topic)
	time.Sleep(time.Second) // the list is complete
	var took []time.Duration
	missed := 0
	for b.Loop() {
		for len(heard) > 0 { // the rest of the previous step
			<-heard
		}
		c.step(a)
		wrote := time.Now()
		next := time.After(time.Duration(200+rand.IntN(100)) * time.Millisecond)
		select {
		case at := <-heard:
			took = append(took, max(at.Sub(wrote), 0))
			<-next
		case <-next:
			missed++
		}
	}
	if len(took) == 0 {
		b.Fatal("no notice came")
	}
	slices.Sort(took)
	for _, q := range []int{50, 90, 99} {
		b.ReportMetric(float64(took[len(took)*q/100].Microseconds())/1000, fmt.Sprintf("p%d-ms", q))
	}
	b.ReportMetric(float64(missed), "missed")
}
