package filehistory

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"sessiontree/internal/session"
	"sessiontree/internal/session/safefile"
)

// MaxFileBytes is the size of the largest file whose lines are shown.
const MaxFileBytes = 2 << 20

// ProjectDir is a directory whose files may be read.
type ProjectDir struct {
	Path string // in sessions, absolute
	Root string // where its files are: Path, except for the demo
}

// ReadProjectFile returns the content of a file, as it is now. The file must be below one of
// dirs, which the user named, because its path comes from a transcript. No symbolic link may
// lead out of that directory. Other files are session.ErrInvalid, and so are pipes, devices,
// large files and files that are not text.
func ReadProjectFile(dirs []ProjectDir, path string) (string, error) {
	inside, rel, ok := findProjectDir(dirs, path)
	if !ok {
		return "", fmt.Errorf("%w: lines are only shown for files below a directory named with “explorer serve --project-dir DIR”; “explorer blame FILE” prints those of any file", session.ErrInvalid)
	}
	root, err := os.OpenRoot(inside)
	if err != nil {
		return "", readError(err)
	}
	defer root.Close()
	f, info, err := safefile.OpenRegularIn(root, rel)
	if err != nil {
		return "", readError(err)
	}
	defer f.Close()
	return readText(f, info)
}

// findProjectDir returns where the files of the first directory are that a file is below, and its
// path in it.
func findProjectDir(dirs []ProjectDir, path string) (root, rel string, ok bool) {
	for _, dir := range dirs {
		rel, err := filepath.Rel(dir.Path, path)
		if err == nil && filepath.IsLocal(rel) && rel != "." {
			return dir.Root, rel, true
		}
	}
	return "", "", false
}

// ReadFile returns the content of any file that the user names, within the limits of
// ReadProjectFile.
func ReadFile(path string) (string, error) {
	f, info, err := safefile.OpenRegular(path)
	if err != nil {
		return "", readError(err)
	}
	defer f.Close()
	return readText(f, info)
}

var errTooLarge = fmt.Errorf("%w: the file is larger than %d MB, so its lines are not shown", session.ErrInvalid, MaxFileBytes>>20)

func readText(f io.Reader, info fs.FileInfo) (string, error) {
	if info.Size() > MaxFileBytes {
		return "", errTooLarge
	}
	text, err := io.ReadAll(io.LimitReader(f, MaxFileBytes+1))
	if err != nil {
		return "", readError(err)
	}
	if len(text) > MaxFileBytes { // it has grown, or reports no size
		return "", errTooLarge
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return "", fmt.Errorf("%w: the file is not text", session.ErrInvalid)
	}
	return string(text), nil
}

func readError(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: the file does not exist", session.ErrNotFound)
	}
	return fmt.Errorf("%w: the file cannot be read: %s", session.ErrInvalid, safefile.Reason(err))
}
