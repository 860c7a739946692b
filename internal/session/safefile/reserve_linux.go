package safefile

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// reserveSpace allocates disk space for n bytes after off, so that a write is not cut
// short. The file's size does not change.
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
		return nil // not supported by the file system: the write itself may fail
	}
}

// BirthTime returns when a file was created, if the file system records it.
func BirthTime(f *os.File) (time.Time, bool) {
	var st unix.Statx_t
	err := unix.Statx(int(f.Fd()), "", unix.AT_EMPTY_PATH, unix.STATX_BTIME, &st)
	if err != nil || st.Mask&unix.STATX_BTIME == 0 {
		return time.Time{}, false
	}
	return time.Unix(st.Btime.Sec, int64(st.Btime.Nsec)), true
}
