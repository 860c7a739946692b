package spend

import "sessiontree/internal/session/spill"

// MoveTo returns f with its records in a file, if they are in memory and large enough. What f was
// stays as it is.
func (f File) MoveTo(s spill.Store) (File, error) {
	if !f.IsInMemory() {
		return f, nil
	}
	moved, err := s.Add(f.Log)
	if err != nil {
		return f, err
	}
	f.Log, f.Moved = nil, moved
	return f, nil
}

// IsInMemory reports whether f has records that can be moved to a file.
func (f *File) IsInMemory() bool { return len(f.Log) >= spill.MinSize }

// LogSize returns the size of the records.
func (f *File) LogSize() int { return len(f.Log) + f.Moved.Size }

// InMemory returns f with its records in memory.
func (f *File) InMemory() (File, error) {
	out := *f
	if f.Moved.Size == 0 {
		return out, nil
	}
	var err error
	if out.Log, err = f.Moved.Read(nil); err != nil {
		return File{}, err
	}
	out.Moved = spill.Bytes{}
	return out, nil
}

// recordsIn returns the records, in buf if they are in a file. After a failure of the disk there
// are none.
func (f *File) recordsIn(buf *[]byte) []byte {
	if f.Moved.Size == 0 {
		return f.Log
	}
	records, err := f.Moved.Read(*buf)
	if err != nil {
		return nil
	}
	*buf = records
	return records
}

// records returns the records. After a failure of the disk there are none.
func (f *File) records() []byte { return f.recordsIn(new([]byte)) }
