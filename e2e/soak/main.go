// Command soak serves sessions that agents write at the same time, to many browsers
// that come and go, for ten minutes. It checks that memory stays flat, that everybody
// sees the end, and that what is served is what a fresh start reads. make soak runs it.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"sessiontree/e2e/harness"
)

// options are what a run is made of.
type options struct {
	duration      time.Duration
	rate          int // lines a second
	projects      int // at a time, with two sessions each
	sockets, list int // clients, and those of them that show the list
	seed          uint64
	memory        string
}

// soak is one run.
type soak struct {
	*harness.Host
	options
	server  *harness.Server
	began   time.Time
	root    string
	http    *client
	agents  []*agent
	clients []*follower
	samples []sample
	checks  []check
	counts  counters
	errs    failures
	slowest slowest
	ending  atomic.Bool // nothing is written any more; clients stay where they are
}

func main() {
	var o options
	explorer := flag.String("explorer", "bin/explorer", "the program to try")
	flag.DurationVar(&o.duration, "duration", 10*time.Minute, "how long agents write")
	flag.IntVar(&o.rate, "lines", 500, "lines a second that are written")
	flag.IntVar(&o.projects, "projects", 10, "projects that are worked on at a time, with two sessions each")
	flag.IntVar(&o.sockets, "sockets", 200, "clients with a socket")
	flag.StringVar(&o.memory, "memory", "64M", "the memory limit of the server")
	flag.Uint64Var(&o.seed, "seed", uint64(time.Now().UnixNano())%1000*1000, "makes the sessions")
	flag.Parse()
	o.list = o.sockets / 10
	h := &harness.Host{Program: "soak"}
	defer h.Finish()
	path, err := filepath.Abs(*explorer)
	if err != nil {
		h.Fatalf("%v", err)
	}
	if err := os.Setenv("EXPLORER", path); err != nil {
		h.Fatalf("%v", err)
	}
	s := &soak{Host: h, options: o, root: h.TempDir()}
	h.Report = s.print
	s.run()
}

func (s *soak) run() {
	fmt.Printf("%v: %d projects with 2 sessions each, %d lines/s, %d sockets, seed %d\n", s.duration, s.projects, s.rate, s.sockets, s.seed)
	for i := range s.projects {
		s.agents = append(s.agents, s.newAgent(i))
	}
	s.server = harness.StartServer(s, "--memory", s.memory, s.root)
	s.http = newClient(s.server.URL)
	s.began = time.Now()
	harness.Until(s, "the complete list", func() bool { return s.http.vitals().Complete })
	before := s.takeSample()
	work := []func(<-chan struct{}){s.label}
	for _, a := range s.agents {
		work = append(work, a.work)
	}
	end := background(work...)
	s.connect()
	s.sampleEachMinute()
	end()
	s.checkArrival()
	s.checkMemory()
	s.leave()
	s.checkReturn(before)
	s.checkCold()
	s.checkErrors()
}

// background runs functions until it is stopped.
func background(all ...func(stop <-chan struct{})) (end func()) {
	stop := make(chan struct{})
	var running sync.WaitGroup
	for _, run := range all {
		running.Go(func() { run(stop) })
	}
	return func() {
		close(stop)
		running.Wait()
	}
}

// connect starts the clients, over some seconds.
func (s *soak) connect() {
	for i := range s.sockets {
		f := &follower{soak: s, rng: rand.New(rand.NewPCG(s.seed, uint64(i))), list: i < s.list}
		s.clients = append(s.clients, f)
		f.start()
		time.Sleep(10 * time.Second / time.Duration(s.sockets)) // as people come
	}
}

// leave ends all clients.
func (s *soak) leave() {
	for _, f := range s.clients {
		f.ended.Store(true)
	}
	for _, f := range s.clients {
		f.close()
	}
	s.http.idle()
}
