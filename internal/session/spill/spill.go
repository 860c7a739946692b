// Package spill moves bytes that are rarely read from memory to a file.
package spill

import (
	"errors"
	"fmt"
	"os"
	"sync"
)

// File holds bytes that were moved out of memory. It has no name in its directory: nothing is
// left of it when the program ends. A File is safe for concurrent use.
type File struct {
	dir string

	mu   sync.Mutex
	file *os.File // nil before the first use
	end  int64
}

// New returns an empty File. It is made in dir when it is first needed.
func New(dir string) *File { return &File{dir: dir} }

// Bytes are bytes in a File. The zero value are none.
type Bytes struct {
	file *File
	off  int64
	size int
}

// MinSize is the size from which moving bytes saves memory: where they are takes some, too.
const MinSize = 256

// Add appends bytes to the file.
func (f *File) Add(data []byte) (Bytes, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.open(); err != nil {
		return Bytes{}, fmt.Errorf("move to disk: %w", err)
	}
	if _, err := f.file.WriteAt(data, f.end); err != nil {
		return Bytes{}, fmt.Errorf("move to disk: %w", err)
	}
	b := Bytes{f, f.end, len(data)}
	f.end += int64(len(data))
	return b, nil
}

// open makes the file. The caller holds the lock.
func (f *File) open() error {
	if f.file != nil {
		return nil
	}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(f.dir, ".moved-*")
	if err != nil {
		return err
	}
	if err := os.Remove(file.Name()); err != nil { // a system where open files keep their names
		return errors.Join(err, file.Close(), os.Remove(file.Name()))
	}
	f.file = file
	return nil
}

// Len returns the number of bytes.
func (b Bytes) Len() int { return b.size }

// Read returns the bytes.
func (b Bytes) Read() ([]byte, error) {
	data := make([]byte, b.size)
	if b.size == 0 {
		return data, nil
	}
	if _, err := b.file.file.ReadAt(data, b.off); err != nil {
		return nil, fmt.Errorf("read what was moved to disk: %w", err)
	}
	return data, nil
}
