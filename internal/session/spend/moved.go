package spend

import "sessiontree/internal/session/spill"

// MoveTo returns f with its records in a file, if they are in memory and large enough. What f was
// stays as it is.
func (f File) MoveTo(s spill.Store) (File, error) {
	err := spill.Move(s, &f.Log, &f.Moved)
	return f, err
}

// IsInMemory reports whether f has records that can be moved to a file.
func (f *File) IsInMemory() bool { return len(f.Log) >= spill.MinSize }

// LogSize returns the size of the records.
func (f *File) LogSize() int { return len(f.Log) + f.Moved.Size }

// InMemory returns f with its records in memory.
func (f File) InMemory() (File, error) {
	err := spill.Load(&f.Log, &f.Moved)
	return f, err
}

// maxRecordBuffer is the most bytes of records that memory is kept for.
const maxRecordBuffer = 1 << 20

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
	if len(records) <= maxRecordBuffer {
		*buf = records
	}
	return records
}

// records returns the records. After a failure of the disk there are none.
func (f *File) records() []byte { return f.recordsIn(new([]byte)) }
