package safefile

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// findWriterProcess returns a process that has the file open for writing. It skips
// other explorers, which use locks, and processes that it may not inspect. known is
// false if the system does not tell.
func findWriterProcess(path string, info fs.FileInfo) (pid int, known bool) {
	procs, err := os.ReadDir("/proc")
	if err != nil {
		return 0, false
	}
	self, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return 0, false
	}
	for _, proc := range procs {
		pid, err := strconv.Atoi(proc.Name())
		if err != nil {
			continue
		}
		if processHasOpen(pid, filepath.Base(path), info) {
			if exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid)); err != nil || exe != self {
				return pid, true
			}
		}
	}
	return 0, true
}

// processHasOpen reports whether a process has the file with that base name open for
// writing.
func processHasOpen(pid int, base string, info fs.FileInfo) bool {
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	fds, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, fd := range fds {
		name := filepath.Join(dir, fd.Name())
		if target, err := os.Readlink(name); err != nil || filepath.Base(target) != base {
			continue
		}
		if open, err := os.Stat(name); err == nil && os.SameFile(open, info) && isOpenForWriting(pid, fd.Name()) {
			return true
		}
	}
	return false
}

// isOpenForWriting reports whether a descriptor of a process is open for writing.
func isOpenForWriting(pid int, fd string) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/fdinfo/%s", pid, fd))
	if err != nil {
		return true // unknown: assume so
	}
	for line := range strings.Lines(string(text)) {
		if octal, ok := strings.CutPrefix(line, "flags:"); ok {
			flags, err := strconv.ParseInt(strings.TrimSpace(octal), 8, 64)
			return err != nil || flags&unix.O_ACCMODE != unix.O_RDONLY
		}
	}
	return true
}
