package watch

import (
	"testing"

	"github.com/fsnotify/fsnotify"
)

// What cannot be watched is reported once, and polled.
func TestFailed(t *testing.T) {
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		t.Skip(err)
	}
	if err := notify.Close(); err != nil { // makes every Add fail
		t.Fatal(err)
	}
	told := 0
	w := &Watcher{notify: notify, config: Config{OnFailure: func(err error) {
		if told++; err == nil {
			t.Error("it is not said why")
		}
	}}}
	for range 3 {
		if err := w.watchDir(t.TempDir()); err != nil {
			t.Errorf("a directory that cannot be watched is given up: %v", err)
		}
	}
	if told != 1 {
		t.Errorf("reported %d times", told)
	}
}
