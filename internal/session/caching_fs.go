package session

import "io/fs"

// CachingFS is a directory that remembers what was learned of its files.
type CachingFS interface {
	fs.FS
	// ReadCached returns what read makes of a file. As long as the file does not change,
	// read is called once. f is nil when the file cannot be opened. old is what it
	// made of the file before that changed, nil when there is nothing. what tells
	// several things apart that are learned of one file.
	ReadCached(name, what string, read func(f fs.File, old any) any) any
}

// ReadCached returns what read makes of a file in dir, remembered if dir does so.
func ReadCached(dir fs.FS, name, what string, read func(f fs.File, old any) any) any {
	if d, ok := dir.(CachingFS); ok {
		return d.ReadCached(name, what, read)
	}
	f, err := dir.Open(name)
	if err != nil {
		return read(nil, nil)
	}
	defer f.Close()
	return read(f, nil)
}
