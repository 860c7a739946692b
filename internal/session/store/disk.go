package store

import (
	"errors"
	"fmt"
	"os"
)

// ErrUnconfirmed is the error of what was written, but may not survive a crash of the
// system.
var ErrUnconfirmed = errors.New("the disk does not confirm it")

// unconfirmed returns ErrUnconfirmed with what was written and what the disk said.
func unconfirmed(path, what string, err error) error {
	return fmt.Errorf("%s: %s, but %w: %w", path, what, ErrUnconfirmed, err)
}

// disk is what not every file system does.
type disk struct {
	syncDir func(dir *os.Root, folder string) error // nil: new files do not wait for the disk
}

// sync makes the names in a folder of dir durable.
func (d *disk) sync(dir *os.Root, folder string) error {
	if d.syncDir == nil {
		return nil
	}
	return d.syncDir(dir, folder)
}

func syncDir(dir *os.Root, folder string) error {
	f, err := dir.Open(folder)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
