package roots

import "sessiontree/internal/session/scan"

// FileVersion is what differs between versions of the content of a file.
type FileVersion struct {
	Size    int64
	ModTime int64  // in nanoseconds since 1970
	Copy    uint64 // the version of the copy of a deleted or remote file, 0 for a file
}

// StatVersion returns the version of the file at a path, wherever it is, or of its copy if it
// was deleted. It needs less memory than StatPath: a search checks all files.
func (s *Set) StatVersion(path string) (FileVersion, error) {
	if !s.copies.AreRemote() {
		if v, ok := statVersion(path); ok {
			return v, nil
		}
	}
	info, err := s.StatPath(path)
	if err != nil {
		return FileVersion{}, err
	}
	return FileVersion{Size: info.Size(), ModTime: info.ModTime().UnixNano(), Copy: scan.CopyVersion(info)}, nil
}
