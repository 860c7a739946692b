package safefile

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// OpenRegular opens a regular file for reading. It does not block on a pipe but returns
// an error.
func OpenRegular(path string) (*os.File, fs.FileInfo, error) {
	return requireRegular(os.OpenFile(path, os.O_RDONLY|Nonblocking, 0))
}

// OpenRegularIn is OpenRegular for a file in a directory.
func OpenRegularIn(dir *os.Root, name string) (*os.File, fs.FileInfo, error) {
	return requireRegular(dir.OpenFile(name, os.O_RDONLY|Nonblocking, 0))
}

// ReadRegular returns the content of a regular file of at most most bytes.
func ReadRegular(path string, most int64) ([]byte, error) {
	f, info, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var text bytes.Buffer
	text.Grow(int(min(info.Size(), most)) + bytes.MinRead)
	_, err = text.ReadFrom(io.LimitReader(f, most+1))
	if err == nil && int64(text.Len()) > most {
		err = fmt.Errorf("%s: it is longer than %d bytes: invalid", f.Name(), most)
	}
	return text.Bytes(), err
}

// requireRegular closes f and returns an error unless f is a regular file.
func requireRegular(f *os.File, err error) (*os.File, fs.FileInfo, error) {
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: f.Name(), Err: ErrNotRegular}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// RegularFS is a directory in which only regular files and directories can be opened.
type RegularFS struct{ Dir *os.Root }

// Open implements fs.FS. It does not block on a pipe.
func (r RegularFS) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	f, err := r.Dir.OpenFile(name, os.O_RDONLY|Nonblocking, 0)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return f, nil
	}
	f, _, err = requireRegular(f, nil)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// ReadDir implements fs.ReadDirFS.
func (r RegularFS) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(r.Dir.FS(), name) }

// Stat implements fs.StatFS.
func (r RegularFS) Stat(name string) (fs.FileInfo, error) { return fs.Stat(r.Dir.FS(), name) }
