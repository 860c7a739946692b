package store

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// reserveSpace makes sure that n bytes after off have room on the disk, so that a
// write does not end in the middle. The file's size stays.
func reserveSpace(f *os.File, off int64, n int) error {
	for {
		err := unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_KEEP_SIZE, off, int64(n))
		switch {
		case err == nil:
			return nil
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EDQUOT), errors.Is(err, unix.EFBIG), errors.Is(err, unix.EIO):
			return os.NewSyscallError("fallocate", err)
		}
		return nil // the file system has no such thing: the write will tell
	}
}

// fileBirthTime answers when a file was made, where the file system knows.
func fileBirthTime(f *os.File) (time.Time, bool) {
	var st unix.Statx_t
	err := unix.Statx(int(f.Fd()), "", unix.AT_EMPTY_PATH, unix.STATX_BTIME, &st)
	if err != nil || st.Mask&unix.STATX_BTIME == 0 {
		return time.Time{}, false
	}
	return time.Unix(st.Btime.Sec, int64(st.Btime.Nsec)), true
}
