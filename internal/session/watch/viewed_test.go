package watch

import "testing"

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
