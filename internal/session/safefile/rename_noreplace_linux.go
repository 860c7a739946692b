package safefile

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// renameWithoutReplace renames a file within its folder. It fails if the new name
// exists.
func renameWithoutReplace(dir *os.Root, from, to string) error {
	f, err := dir.Open(filepath.Dir(from))
	if err != nil {
		return err
	}
	defer f.Close()
	at := int(f.Fd())
	return os.NewSyscallError("renameat2", unix.Renameat2(at, filepath.Base(from), at, filepath.Base(to), unix.RENAME_NOREPLACE))
}
