package scan

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"sessiontree/internal/session"
	"sessiontree/internal/session/safefile"
)

// Dir is an open directory.
type Dir interface {
	fs.FS
	io.Closer
}

// openDiskDir opens a directory on the disk.
func openDiskDir(path string) (Dir, error) {
	dir, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return struct {
		fs.FS
		io.Closer
	}{safefile.RegularFS{Dir: dir}, dir}, nil
}

// readSiblingHeader lets the format complete the header from files next to the session
// file. Files that cannot be read are ignored.
func (r *Reader) readSiblingHeader(h *session.Header) {
	dir, err := r.options.OpenDir(filepath.Dir(r.path))
	if err != nil {
		return
	}
	defer dir.Close()
	r.Format.CompleteHeaderFromDir(h, dir, filepath.Base(r.path))
}
