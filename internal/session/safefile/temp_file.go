package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

// minLeftoverAge is how old the temporary file of a dead process must be before it is
// removed: on a network mount its writer may run on another computer.
const minLeftoverAge = time.Hour

// newTempName returns a name for a temporary file, which agents ignore. It contains the
// process id.
func newTempName() string { return fmt.Sprintf(".explorer-%d-%08x.tmp", os.Getpid(), rand.Uint32()) }

// tempPattern matches the names that newTempName returns, and captures the process id.
var tempPattern = regexp.MustCompile(`^\.explorer-([0-9]{1,10})-[0-9a-f]{8}\.tmp$`)

// IsTempName reports whether a file name is that of a temporary file of this package.
func IsTempName(name string) bool { return tempPattern.MatchString(name) }

// RemoveLeftover removes a temporary file if its process is dead and the file is old.
func RemoveLeftover(dir *os.Root, rel string, now time.Time) error {
	pid, err := strconv.Atoi(tempPattern.FindStringSubmatch(filepath.Base(rel))[1])
	if err != nil || pid > 0 && isProcessAlive(pid) {
		return nil
	}
	info, err := dir.Lstat(rel)
	if err != nil {
		return IgnoreError(err, fs.ErrNotExist)
	}
	if !info.Mode().IsRegular() || now.Sub(info.ModTime()) < minLeftoverAge {
		return nil
	}
	return IgnoreError(dir.Remove(rel), fs.ErrNotExist)
}

// RemoveLeftoversUnder removes the temporary files of dead processes below a directory,
// which need not exist.
func RemoveLeftoversUnder(path string, now time.Time) error {
	dir, err := os.OpenRoot(path)
	if err != nil {
		return IgnoreError(err, fs.ErrNotExist)
	}
	defer dir.Close()
	var failed []error
	err = fs.WalkDir(dir.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && IsTempName(d.Name()) {
			err = RemoveLeftover(dir, path, now)
		}
		failed = append(failed, IgnoreError(err, fs.ErrNotExist))
		return nil
	})
	return errors.Join(append(failed, err)...)
}
