package watch

import (
	"testing"
	"time"
)

// TestView_OfADeadFileSystem views a file on a file system that hangs: other files can
// be viewed and polled nevertheless.
func TestView_OfADeadFileSystem(t *testing.T) {
	looking, answer := make(chan bool), make(chan bool)
	w := &Watcher{viewed: map[string]*viewedFile{}}
	w.statFile = func(path string) fileState {
		if path == "dead" {
			looking <- true
			<-answer
		}
		return fileState{exists: true}
	}
	done := make(chan bool)
	go func() {
		defer close(done)
		w.ViewFile("dead")()
	}()
	<-looking

	others := make(chan int)
	go func() {
		unview := w.ViewFile("alive")
		w.mu.Lock()
		w.viewed["alive"].state = fileState{}
		w.mu.Unlock()
		others <- len(w.statViewed())
		unview()
		close(others)
	}()
	if n := <-others; n != 1 {
		t.Errorf("%d changes, want 1", n)
	}
	<-others
	close(answer)
	<-done
	if len(w.viewed) != 0 {
		t.Errorf("%d files are viewed still", len(w.viewed))
	}
}

// Polls of viewed files that find nothing become less frequent until one finds a change.
func TestViewedInterval(t *testing.T) {
	state := fileState{exists: true}
	w := &Watcher{
		config: Config{ViewedEvery: time.Second, OnChange: func(string) {}}, bursts: map[string]burst{}, wakeUp: make(chan struct{}, 1),
		viewed: map[string]*viewedFile{}, statFile: func(string) fileState { return state },
	}
	defer w.ViewFile("x.jsonl")()
	poll := func() time.Duration {
		w.lastPoll = time.Time{}
		w.pollViewed()
		return w.viewedInterval()
	}
	for range 19 {
		if d := poll(); d != time.Second {
			t.Fatalf("interval %v, want 1s while the session may still grow", d)
		}
	}
	if d := poll(); d != 4*time.Second {
		t.Errorf("interval %v after 20 polls without a change, want 4s", d)
	}
	state.size++
	if d := poll(); d != time.Second {
		t.Errorf("interval %v after a change, want 1s", d)
	}
}
