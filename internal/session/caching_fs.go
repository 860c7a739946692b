package session

import "io/fs"

// CachingFS is a directory that caches what was learned from its files.
type CachingFS interface {
	fs.FS
	// ReadCached returns the result of read for a file. While the file does not change,
	// read is called once. f is nil if the file cannot be opened. old is the result
	// from before the file changed, or nil. what distinguishes several results for one
	// file.
	ReadCached(name, what string, read func(f fs.File, old any) any) any
}

// ReadCached returns the result of read for a file in dir, cached if dir is a
// CachingFS.
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
