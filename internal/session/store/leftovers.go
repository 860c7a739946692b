package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
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
func newTempName() string { return fmt.Sprintf(".explorer-%d-%s.tmp", os.Getpid(), randomEntryID()) }

// tempPattern matches the names that newTempName returns, and captures the process id.
var tempPattern = regexp.MustCompile(`^\.explorer-([0-9]{1,10})-[0-9a-f]{8}\.tmp$`)

func isTempName(name string) bool { return tempPattern.MatchString(name) }

// RemoveLeftovers removes the temporary files of dead processes from the roots and the
// state directory.
func (l *Library) RemoveLeftovers(ctx context.Context) error {
	if l.readOnly {
		return nil
	}
	var failed []error
	w := l.newWalker(ctx)
	w.onTempFile = func(dir *os.Root, rel string) { failed = append(failed, l.removeLeftover(dir, rel)) }
	failed = append(failed, w.walkAllRoots())
	if l.sidecars != nil {
		failed = append(failed, l.removeStateLeftovers(filepath.Dir(l.sidecars.dir)))
	}
	return errors.Join(failed...)
}

func (l *Library) removeStateLeftovers(state string) error {
	dir, err := os.OpenRoot(state)
	if err != nil {
		return ignoreError(err, fs.ErrNotExist)
	}
	defer dir.Close()
	var failed []error
	err = fs.WalkDir(dir.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && isTempName(d.Name()) {
			err = l.removeLeftover(dir, path)
		}
		failed = append(failed, ignoreError(err, fs.ErrNotExist))
		return nil
	})
	return errors.Join(append(failed, err)...)
}

// removeLeftover removes a temporary file if its process is dead and the file is old.
func (l *Library) removeLeftover(dir *os.Root, rel string) error {
	pid, err := strconv.Atoi(tempPattern.FindStringSubmatch(filepath.Base(rel))[1])
	if err != nil || pid > 0 && isProcessAlive(pid) {
		return nil
	}
	info, err := dir.Lstat(rel)
	if err != nil {
		return ignoreError(err, fs.ErrNotExist)
	}
	if !info.Mode().IsRegular() || l.now().Sub(info.ModTime()) < minLeftoverAge {
		return nil
	}
	return ignoreError(dir.Remove(rel), fs.ErrNotExist)
}
