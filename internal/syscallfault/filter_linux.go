package syscallfault

import (
	"errors"
	"os"
	"runtime"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// ours, as the last argument of a call, tells the filter that the call is made by this
// package. No call that the filter looks at has six arguments.
const ours = 0x5e55c0de

// unasked are the calls that have nothing to do with files: the runtime's own, those of
// the network and of processes, and those that this package needs. The kernel asks before
// every other. Go makes many of these without leaving its scheduler, which then could not
// run the goroutine that responds.
var unasked = []uint32{
	unix.SYS_FUTEX, unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT, unix.SYS_EVENTFD2, unix.SYS_PIPE2,
	unix.SYS_MMAP, unix.SYS_MUNMAP, unix.SYS_MREMAP, unix.SYS_MPROTECT, unix.SYS_MADVISE, unix.SYS_MINCORE, unix.SYS_BRK,
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_SIGALTSTACK, unix.SYS_RESTART_SYSCALL,
	unix.SYS_TGKILL, unix.SYS_TKILL, unix.SYS_KILL, unix.SYS_GETPID, unix.SYS_GETPPID, unix.SYS_GETTID,
	unix.SYS_GETUID, unix.SYS_GETEUID, unix.SYS_GETGID, unix.SYS_GETEGID,
	unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_CLOCK_GETTIME,
	unix.SYS_TIMER_CREATE, unix.SYS_TIMER_SETTIME, unix.SYS_TIMER_DELETE, unix.SYS_SETITIMER,
	unix.SYS_CLONE, unix.SYS_CLONE3, unix.SYS_EXIT, unix.SYS_EXIT_GROUP, unix.SYS_SET_ROBUST_LIST, unix.SYS_RSEQ,
	unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_BIND, unix.SYS_LISTEN, unix.SYS_ACCEPT4, unix.SYS_CONNECT, unix.SYS_SHUTDOWN,
	unix.SYS_GETSOCKNAME, unix.SYS_GETPEERNAME, unix.SYS_GETSOCKOPT, unix.SYS_SETSOCKOPT,
	unix.SYS_SENDTO, unix.SYS_RECVFROM, unix.SYS_SENDMSG, unix.SYS_RECVMSG,
	unix.SYS_INOTIFY_INIT1, unix.SYS_INOTIFY_RM_WATCH, unix.SYS_SETSID, unix.SYS_UMASK, unix.SYS_GETRLIMIT, unix.SYS_SETRLIMIT, unix.SYS_GETPGID, unix.SYS_SETPGID, unix.SYS_GETSID, unix.SYS_GETGROUPS,
	unix.SYS_GETTIMEOFDAY, unix.SYS_DUP, unix.SYS_DUP3, unix.SYS_GETRUSAGE, unix.SYS_TIMES, unix.SYS_UNAME, unix.SYS_SYSINFO,
	unix.SYS_WAIT4, unix.SYS_WAITID, unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_SEND_SIGNAL,
	unix.SYS_PRCTL, unix.SYS_PRLIMIT64, unix.SYS_GETRANDOM, unix.SYS_MEMBARRIER,
	unix.SYS_FCNTL,            // of descriptors; the runtime makes it without leaving the scheduler
	unix.SYS_IOCTL,            // takes the notifications
	unix.SYS_PROCESS_VM_READV, // reads the paths in them
	unix.SYS_SECCOMP,
}

// install has the kernel ask before every file system call of the process, and starts
// answering.
func install() (*Calls, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return nil, os.NewSyscallError("prctl", err)
	}
	caller, err := callerAddress()
	if err != nil {
		return nil, err
	}
	code := program(caller)
	prog := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	const flags = unix.SECCOMP_FILTER_FLAG_TSYNC | unix.SECCOMP_FILTER_FLAG_TSYNC_ESRCH | unix.SECCOMP_FILTER_FLAG_NEW_LISTENER
	fd, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&prog)))
	if errno != 0 {
		return nil, os.NewSyscallError("seccomp", errno)
	}
	c := &Calls{listener: fd}
	go c.answer()
	return c, nil
}

// Offsets in what a filter looks at, which is struct seccomp_data with its low half first.
const (
	offCall   = 0
	offCaller = 8
	offLast   = 16 + 5*8
	loadWord  = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
	ifEqual   = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
	endFilter = unix.BPF_RET | unix.BPF_K
)

// program is the filter: it asks before calls that package syscall makes, at the address
// caller, but for those that are unasked or ours. What the runtime or a C library calls by
// itself is never reported: the responding goroutine could not run meanwhile.
func program(caller uint64) (code []unix.SockFilter) {
	allow := unix.SockFilter{Code: endFilter, K: unix.SECCOMP_RET_ALLOW}
	load := func(off uint32) { code = append(code, unix.SockFilter{Code: loadWord, K: off}) }
	load(offCaller)
	code = append(code, unix.SockFilter{Code: ifEqual, Jt: 1, K: uint32(caller)}, allow)
	load(offCaller + 4)
	code = append(code, unix.SockFilter{Code: ifEqual, Jt: 1, K: uint32(caller >> 32)}, allow)
	load(offLast)
	code = append(code, unix.SockFilter{Code: ifEqual, Jf: 1, K: ours}, allow)
	load(offCall)
	for _, call := range unasked {
		code = append(code, unix.SockFilter{Code: ifEqual, Jf: 1, K: call}, allow)
	}
	return append(code, unix.SockFilter{Code: endFilter, K: unix.SECCOMP_RET_USER_NOTIF})
}

// callerAddress is the address to which the kernel returns from calls of package syscall.
func callerAddress() (uint64, error) {
	text, err := os.ReadFile("/proc/thread-self/syscall") // says where it was read from
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(text))
	if len(fields) == 0 {
		return 0, errors.ErrUnsupported
	}
	return strconv.ParseUint(fields[len(fields)-1], 0, 64)
}
