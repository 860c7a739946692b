package spend

import "sessiontree/internal/session/spill"

// MoveTo returns f with its records in a file, if they are large enough. What f was stays as it is.
func (f File) MoveTo(s *spill.File) (File, error) {
	if !f.IsInMemory() {
		return f, nil
	}
	moved, err := s.Add(f.Log)
	if err != nil {
		return f, err
	}
	f.Log, f.moved = nil, moved
	return f, nil
}

// IsInMemory reports whether f has records that can be moved to a file.
func (f *File) IsInMemory() bool { return len(f.Log) >= spill.MinSize }

// LogSize returns the size of the records.
func (f *File) LogSize() int { return len(f.Log) + f.moved.Len() }

// InMemory returns f with its records in memory.
func (f *File) InMemory() (File, error) {
	out := *f
	if f.moved.Len() == 0 {
		return out, nil
	}
	var err error
	if out.Log, err = f.moved.Read(); err != nil {
		return File{}, err
	}
	out.moved = spill.Bytes{}
	return out, nil
}

// records returns the records. After a failure of the disk there are none.
func (f *File) records() []byte {
	if f.moved.Len() == 0 {
		return f.Log
	}
	in, err := f.InMemory()
	if err != nil {
		return nil
	}
	return in.Log
}
