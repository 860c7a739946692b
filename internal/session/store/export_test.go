package store

import (
	"io/fs"
	"os"
	"syscall"
)

// Pause has fn called where another writer may come between: "opened" before the
// file is locked, "encoded" before the last look at its size, "checked" after it.
func (l *Library) Pause(fn func(stage string)) { l.testHook = fn }

// FailSync has the disk not confirm the names of files.
func (l *Library) FailSync(err error) {
	l.disk.syncDir = func(*os.Root, string) error { return err }
}

// NoLinks has the disk have no hard links, and renames none that it does not overwrite
// unless renames is set.
func (l *Library) NoLinks(renames bool) {
	l.disk.link = func(*os.Root, string, string) error { return syscall.EPERM }
	if !renames {
		l.disk.renameNew = func(*os.Root, string, string) error { return syscall.EINVAL }
	}
}

// NoHolders has no process have a session's file open. Looking at all of them makes
// thousands of system calls.
func (l *Library) NoHolders() {
	l.disk.holder = func(string, fs.FileInfo) (int, bool) { return 0, true }
}

// TakeBack is what follows a short write.
var TakeBack = undoShortWrite

// IsTemp reports whether Sweep knows a file.
var IsTemp = isTempName

// OnLink calls fn before each new file gets its name.
func (l *Library) OnLink(fn func()) {
	link := l.disk.link
	l.disk.link = func(dir *os.Root, from, to string) error {
		fn()
		return link(dir, from, to)
	}
}
