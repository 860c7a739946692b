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

// leftover is how old the file of a writer that is gone must be to be removed: on a
// network mount the writer may be another computer's.
const leftover = time.Hour

// tempName returns a name for a file that is being written, which agents pass by. It
// says which process writes.
func tempName() string { return fmt.Sprintf(".explorer-%d-%s.tmp", os.Getpid(), newID()) }

// tempPattern matches what tempName returns, and its process.
var tempPattern = regexp.MustCompile(`^\.explorer-([0-9]{1,10})-[0-9a-f]{8}\.tmp$`)

func isTemp(name string) bool { return tempPattern.MatchString(name) }

// Sweep removes the files that killed processes were writing, in the directories of
// sessions and in the state directory.
func (l *Library) Sweep(ctx context.Context) error {
	if l.readOnly {
		return nil
	}
	var failed []error
	w := l.walker(ctx)
	w.temp = func(dir *os.Root, rel string) { failed = append(failed, l.removeLeftover(dir, rel)) }
	failed = append(failed, w.run())
	if l.asides != nil {
		failed = append(failed, l.sweepState(filepath.Dir(l.asides.dir)))
	}
	return errors.Join(failed...)
}

func (l *Library) sweepState(state string) error {
	dir, err := os.OpenRoot(state)
	if err != nil {
		return ignore(err, fs.ErrNotExist)
	}
	defer dir.Close()
	var failed []error
	err = fs.WalkDir(dir.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && isTemp(d.Name()) {
			err = l.removeLeftover(dir, path)
		}
		failed = append(failed, ignore(err, fs.ErrNotExist))
		return nil
	})
	return errors.Join(append(failed, err)...)
}

// removeLeftover removes a file whose writer is gone for long.
func (l *Library) removeLeftover(dir *os.Root, rel string) error {
	pid, err := strconv.Atoi(tempPattern.FindStringSubmatch(filepath.Base(rel))[1])
	if err != nil || pid > 0 && alive(pid) {
		return nil
	}
	info, err := dir.Lstat(rel)
	if err != nil {
		return ignore(err, fs.ErrNotExist)
	}
	if !info.Mode().IsRegular() || l.now().Sub(info.ModTime()) < leftover {
		return nil
	}
	return ignore(dir.Remove(rel), fs.ErrNotExist)
}
