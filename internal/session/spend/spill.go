package spend

import (
	"errors"
	"fmt"
	"os"
	"sync"
)

// Spill is a file with the records of Files that are rarely read, so that they take no memory. The
// file has no name: nothing is left of it when the program ends. A Spill is safe for concurrent
// use.
type Spill struct {
	dir string

	mu   sync.Mutex
	file *os.File // nil before the first use
	end  int64
}

// NewSpill returns an empty Spill. Its file is made in dir when it is first needed.
func NewSpill(dir string) *Spill { return &Spill{dir: dir} }

// spilledLog is where the records of a File are. The zero value: in memory.
type spilledLog struct {
	spill *Spill
	off   int64
	size  int
}

// minSpilled is the size from which records are moved: smaller ones take less memory than where
// they are.
const minSpilled = 256

// Move returns f with its records in the file. What f was stays as it is.
func (s *Spill) Move(f File) (File, error) {
	if !f.IsInMemory() {
		return f, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.open(); err != nil {
		return f, err
	}
	if _, err := s.file.WriteAt(f.Log, s.end); err != nil {
		return f, fmt.Errorf("records of costs: %w", err)
	}
	f.spilled = spilledLog{s, s.end, len(f.Log)}
	s.end += int64(len(f.Log))
	f.Log = nil
	return f, nil
}

// open makes the file. The caller holds the lock.
func (s *Spill) open() error {
	if s.file != nil {
		return nil
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("records of costs: %w", err)
	}
	f, err := os.CreateTemp(s.dir, ".costs-*")
	if err != nil {
		return fmt.Errorf("records of costs: %w", err)
	}
	if err := os.Remove(f.Name()); err != nil { // a system where open files keep their names
		return fmt.Errorf("records of costs: %w", errors.Join(err, f.Close(), os.Remove(f.Name())))
	}
	s.file = f
	return nil
}

// IsInMemory reports whether f has records that can be moved to a Spill.
func (f *File) IsInMemory() bool { return len(f.Log) >= minSpilled }

// LogSize returns the size of the records.
func (f *File) LogSize() int { return len(f.Log) + f.spilled.size }

// InMemory returns f with its records in memory.
func (f *File) InMemory() (File, error) {
	out := *f
	if f.spilled.size == 0 {
		return out, nil
	}
	out.Log, out.spilled = make([]byte, f.spilled.size), spilledLog{}
	if _, err := f.spilled.spill.file.ReadAt(out.Log, f.spilled.off); err != nil {
		return File{}, fmt.Errorf("records of costs: %w", err)
	}
	return out, nil
}

// records returns the records. After a failure of the disk there are none.
func (f *File) records() []byte {
	if f.spilled.size == 0 {
		return f.Log
	}
	in, err := f.InMemory()
	if err != nil {
		return nil
	}
	return in.Log
}
