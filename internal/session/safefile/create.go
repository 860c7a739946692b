package safefile

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CreateFile creates a file that only its owner can read. The file is either complete
// or absent. If the name exists, CreateFile returns an error that is fs.ErrExist.
func CreateFile(path string, text []byte) error {
	d := SystemDisk()
	return d.CreateFile(path, 0o600, true, func(w *bufio.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// ReplaceFile writes a file that only its owner can read, and replaces one of the same
// name. A reader sees either the old or the new content.
func ReplaceFile(path string, text []byte) error {
	dir, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer dir.Close()
	base := filepath.Base(path)
	temp, err := WriteTempFile(path, dir, base, 0o600, true, func(w *bufio.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	if err := dir.Rename(temp, base); err != nil {
		return errors.Join(err, dir.Remove(temp))
	}
	return nil
}

// CreateFile creates a file that is either complete or absent, and never replaces one.
// It writes a temporary file, makes it durable and links it. With ErrUnconfirmed the
// file was created.
func (d *Disk) CreateFile(path string, mode fs.FileMode, durable bool, fill func(*bufio.Writer) error) error {
	dir, err := os.OpenRoot(filepath.Dir(path))
	if errors.Is(err, fs.ErrNotExist) {
		return &Error{Kind: fs.ErrNotExist, Text: fmt.Sprintf("%s: there is no directory %s", path, filepath.Dir(path))}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, Reason(err))
	}
	defer dir.Close()
	base := filepath.Base(path)
	exists := &Error{Kind: fs.ErrExist, Text: path + " exists already."}
	if _, err := dir.Lstat(base); err == nil {
		return exists
	}
	temp, err := WriteTempFile(path, dir, base, mode, durable, fill)
	if err != nil {
		return err
	}
	if err = d.renameToNew(dir, temp, base); err != nil {
		_ = dir.Remove(temp) // it may be gone
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return exists
	case err != nil:
		return NewWriteError(path, "the directory", err)
	}
	if !durable {
		return nil
	}
	if err := d.SyncNames(dir, "."); err != nil {
		return NewUnconfirmedError(path, "the file was created", err)
	}
	return nil
}

// WriteTempFile writes a temporary file next to the file base in dir, and returns its
// name. path is that of the final file, for errors.
func WriteTempFile(path string, dir *os.Root, base string, mode fs.FileMode, durable bool, fill func(*bufio.Writer) error) (string, error) {
	temp := filepath.Join(filepath.Dir(base), newTempName())
	f, err := dir.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return "", NewWriteError(path, "the directory", err)
	}
	w := bufio.NewWriterSize(f, 256<<10)
	if err = fill(w); err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = f.Chmod(mode) // the umask removed bits
	}
	if err == nil && durable {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(fmt.Errorf("%s: %w", path, err), dir.Remove(temp))
	}
	return temp, nil
}
