package store

import (
	"io/fs"
	"os"
	"syscall"
)

// Pause sets the test hook, which is called where another writer may act: "opened"
// before the file is locked, "encoded" before the last check of its size, "checked"
// after it.
func (l *Library) Pause(fn func(stage string)) { l.testHook = fn }

// FailSync makes syncing of directories fail.
func (l *Library) FailSync(err error) {
	l.disk.SyncDir = func(*os.Root, string) error { return err }
}

// NoLinks disables hard links and, unless renames is set, renames without replacement.
func (l *Library) NoLinks(renames bool) {
	l.disk.Link = func(*os.Root, string, string) error { return syscall.EPERM }
	if !renames {
		l.disk.RenameNew = func(*os.Root, string, string) error { return syscall.EINVAL }
	}
}

// NoHolders has no process have a session's file open. Looking at all of them makes
// thousands of system calls.
func (l *Library) NoHolders() {
	l.disk.FindWriter = func(string, fs.FileInfo) (int, bool) { return 0, true }
}

// OnLink sets fn to be called before each new file gets its name.
func (l *Library) OnLink(fn func()) {
	link := l.disk.Link
	l.disk.Link = func(dir *os.Root, from, to string) error {
		fn()
		return link(dir, from, to)
	}
}

// Memory returns the estimated memory of the session.
func (s *Session) Memory() int64 { return s.weight.Load() }
