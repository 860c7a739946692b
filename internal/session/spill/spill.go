// Package spill keeps bytes that are rarely read in a file instead of in memory.
package spill

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
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

// Bytes are bytes in a file. The zero value are none. They can be stored, and are read again with
// the file that In sets.
type Bytes struct {
	Off  int64
	Size int

	in io.ReaderAt
}

// Store is where bytes can be moved to.
type Store interface {
	Add(data []byte) (Bytes, error)
}

// MinSize is the size from which moving bytes saves memory: where they are takes some, too.
const MinSize = 256

// Move moves data to a file, if it is in memory and large enough. moved is where it is then, and
// data is nil. After an error both are as before.
func Move(to Store, data *[]byte, moved *Bytes) error {
	if len(*data) < MinSize {
		return nil
	}
	b, err := to.Add(*data)
	if err == nil {
		*data, *moved = nil, b
	}
	return err
}

// Load reads data that Move moved into memory. After an error both are as before.
func Load(data *[]byte, moved *Bytes) error {
	if moved.Size == 0 {
		return nil
	}
	b, err := moved.Read(nil)
	if err == nil {
		*data, *moved = b, Bytes{}
	}
	return err
}

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
	b := Bytes{f.end, len(data), f.file}
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

// In sets the file that the bytes are in, if there are any.
func (b *Bytes) In(file io.ReaderAt) {
	if b.Size > 0 {
		b.in = file
	}
}

// Read returns the bytes. It uses the memory of buf if it is large enough.
func (b Bytes) Read(buf []byte) ([]byte, error) {
	buf = slices.Grow(buf[:0], b.Size)[:b.Size]
	if b.Size == 0 {
		return buf, nil
	}
	if _, err := b.in.ReadAt(buf, b.Off); err != nil {
		return nil, fmt.Errorf("read what was moved to disk: %w", err)
	}
	return buf, nil
}
