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

// CleanUp says when an agent deletes session files: some days after they were last
// modified. Its settings are in the directory above that of the sessions.
type CleanUp struct {
	DirName      string // of the directory of sessions
	HomeName     string // of the directory above, where the rule is in force without settings
	SettingsName string // of the file with the settings
	// Days returns after how many days files are deleted, by the content of the settings
	// file, which is empty if there is none. ok is false if they are never deleted.
	Days func(settings []byte) (days int, ok bool)
}

// Omissions says what is omitted from recorded lines for others.
type Omissions struct {
	Output   bool // outputs of tools and commands
	Thinking bool
	Images   bool
}

// OmitsAny reports whether anything is omitted.
func (w Omissions) OmitsAny() bool { return w != Omissions{} }

// Texts in place of what was omitted from a line.
const (
	OmittedText      = "[left out]"
	OmittedImageText = "[image left out]"
)
