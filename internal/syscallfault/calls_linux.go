package syscallfault

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Fault is how a call fails.
type Fault struct {
	Err unix.Errno
	// Short: only writes fail, and half of what they were to write is in the file.
	Short bool
}

func (f Fault) String() string {
	if f.Short {
		return "short write"
	}
	return unix.ErrnoName(f.Err)
}

// Faults are those that a disk makes.
var Faults = []Fault{{Err: unix.EIO}, {Err: unix.ENOSPC}, {Short: true}}

// Calls are the file system calls of the process.
type Calls struct {
	listener uintptr

	mu    sync.Mutex
	armed bool
	left  int // calls until the one that fails
	fault Fault
	hit   string
	never map[int32]unix.Errno // calls that fail whenever they are made
}

// Never has all calls of a kind fail from now on, as on a file system that has no such
// thing: hard links, renaming to a name that nothing has.
func (c *Calls) Never(call int32, err unix.Errno) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.never == nil {
		c.never = map[int32]unix.Errno{}
	}
	c.never[call] = err
}

// Fail calls fn and has its n-th call fail, the first being 0: every call of any thread
// that names a file or a descriptor counts, but for those in /proc. It returns what failed, "" when fn made fewer
// calls.
func (c *Calls) Fail(n int, f Fault, fn func()) (hit string) {
	c.mu.Lock()
	c.armed, c.left, c.fault, c.hit = true, n, f, ""
	c.mu.Unlock()
	fn()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.armed = false
	return c.hit
}

// notification is what the kernel asks: struct seccomp_notif.
type notification struct {
	id         uint64
	pid, flags uint32
	call       int32
	arch       uint32
	ip         uint64
	args       [6]uint64
}

// response is the answer: struct seccomp_notif_resp.
type response struct {
	id    uint64
	value int64
	err   int32
	flags uint32
}

// answer responds to the kernel until the process ends.
func (c *Calls) answer() {
	for {
		var n notification
		_, _, errno := unix.Syscall(unix.SYS_IOCTL, c.listener, unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&n)))
		if errno != 0 {
			continue // the thread was interrupted, and asks again
		}
		r := c.decide(&n)
		r.id = n.id
		_, _, errno = unix.Syscall(unix.SYS_IOCTL, c.listener, unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&r)))
		if errno == unix.ENOENT && r.flags == 0 {
			panic("syscallfault: a call that was to fail was interrupted")
		}
	}
}

// decide says whether a call is made or fails.
func (c *Calls) decide(n *notification) response {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.never[n.call]; err != 0 {
		return response{err: -int32(err)}
	}
	made := response{flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
	if !c.armed || c.hit != "" || c.fault.Short && (n.call != unix.SYS_WRITE && n.call != unix.SYS_PWRITE64 || n.args[2] < 2) {
		return made
	}
	about := describe(n)
	if strings.Contains(about, " /proc") {
		return made
	}
	if c.left--; c.left >= 0 {
		return made
	}
	c.hit = about
	if c.fault.Short {
		return response{value: writeHalf(n)}
	}
	if n.call == unix.SYS_CLOSE { // the kernel closes also what it reports an error of
		_, _, _ = unix.Syscall6(unix.SYS_CLOSE, uintptr(n.args[0]), 0, 0, 0, 0, ours)
	}
	return response{err: -int32(c.fault.Err)}
}

// writeHalf makes half of a write.
func writeHalf(n *notification) int64 {
	done, _, errno := unix.Syscall6(uintptr(n.call), uintptr(n.args[0]), uintptr(n.args[1]), uintptr(n.args[2]/2), uintptr(n.args[3]), 0, ours)
	if errno != 0 {
		panic(fmt.Sprint("syscallfault: half a write: ", errno))
	}
	return int64(done)
}

// names are those of the calls that programs in Go make, for messages.
var names = map[int32]string{
	unix.SYS_OPENAT: "openat", unix.SYS_READ: "read", unix.SYS_PREAD64: "pread64", unix.SYS_WRITE: "write", unix.SYS_PWRITE64: "pwrite64",
	unix.SYS_CLOSE: "close", unix.SYS_FSTAT: "fstat", unix.SYS_STATX: "statx", unix.SYS_LSEEK: "lseek", unix.SYS_FSYNC: "fsync",
	unix.SYS_FTRUNCATE: "ftruncate", unix.SYS_FALLOCATE: "fallocate", unix.SYS_FLOCK: "flock", unix.SYS_FCHMOD: "fchmod",
	unix.SYS_FCHMODAT: "fchmodat", unix.SYS_LINKAT: "linkat", unix.SYS_UNLINKAT: "unlinkat", unix.SYS_RENAMEAT: "renameat",
	unix.SYS_RENAMEAT2: "renameat2", unix.SYS_MKDIRAT: "mkdirat", unix.SYS_GETDENTS64: "getdents64", unix.SYS_READLINKAT: "readlinkat",
	unix.SYS_UTIMENSAT: "utimensat", unix.SYS_COPY_FILE_RANGE: "copy_file_range", unix.SYS_NEWFSTATAT: "newfstatat", unix.SYS_FACCESSAT2: "faccessat2",
}

// describe names a call and the file that it is about.
func describe(n *notification) string {
	name, known := names[n.call]
	if !known {
		name = fmt.Sprint("call ", n.call)
	}
	if strings.HasSuffix(name, "at") || strings.HasSuffix(name, "at2") {
		return name + " " + textAt(n.args[1])
	}
	return name + " of " + fileOf(n.args[0])
}

// fileOf is the path of an open descriptor.
func fileOf(fd uint64) string {
	link, to := fmt.Appendf(nil, "/proc/self/fd/%d\x00", fd), make([]byte, 256)
	here := unix.AT_FDCWD
	n, _, errno := unix.Syscall6(unix.SYS_READLINKAT, uintptr(here), uintptr(unsafe.Pointer(&link[0])), uintptr(unsafe.Pointer(&to[0])), uintptr(len(to)), 0, ours)
	if errno != 0 {
		return fmt.Sprint("descriptor ", fd)
	}
	return string(to[:n])
}

// textAt is the text at an address of the process, as C has it.
func textAt(address uint64) string {
	text := make([]byte, 256)
	local := []unix.Iovec{{Base: &text[0], Len: uint64(len(text))}}
	got, err := unix.ProcessVMReadv(os.Getpid(), local, []unix.RemoteIovec{{Base: uintptr(address), Len: len(text)}}, 0)
	if err != nil {
		return "?"
	}
	text, _, _ = bytes.Cut(text[:got], []byte{0})
	return string(text)
}
