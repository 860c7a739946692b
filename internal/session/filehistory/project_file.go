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
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/safefile"
)

// MaxFileBytes is the size of the largest file whose lines are shown.
const MaxFileBytes = 2 << 20

// ReadProjectFile returns the content of a file that sessions changed, as it is now. The file must
// be below the working directory of one of these sessions, and no symbolic link may lead out of
// that directory. Other files are session.ErrInvalid, and so are pipes, devices, large files and
// files that are not text.
func ReadProjectFile(file catalog.ChangedFile) (string, error) {
	dir := ""
	for _, s := range file.Sessions {
		rel, err := filepath.Rel(s.Cwd, file.Path)
		if filepath.IsAbs(s.Cwd) && filepath.Dir(s.Cwd) != s.Cwd && err == nil && filepath.IsLocal(rel) && rel != "." {
			dir = s.Cwd
			break
		}
	}
	if dir == "" {
		return "", fmt.Errorf("%w: the file is not below the directory of a session that changed it, so its lines are not shown", session.ErrInvalid)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", readError(err)
	}
	defer root.Close()
	rel, err := filepath.Rel(dir, file.Path)
	if err != nil {
		return "", readError(err)
	}
	f, info, err := safefile.OpenRegularIn(root, rel)
	if err != nil {
		return "", readError(err)
	}
	defer f.Close()
	return readText(f, info)
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

func readText(f io.Reader, info fs.FileInfo) (string, error) {
	if info.Size() > MaxFileBytes {
		return "", fmt.Errorf("%w: the file is larger than %d MB, so its lines are not shown", session.ErrInvalid, MaxFileBytes>>20)
	}
	text, err := io.ReadAll(io.LimitReader(f, MaxFileBytes))
	if err != nil {
		return "", readError(err)
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return "", fmt.Errorf("%w: the file is not text", session.ErrInvalid)
	}
	return string(text), nil
}

func readError(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: the file is not there any more", session.ErrNotFound)
	}
	return fmt.Errorf("%w: the file cannot be read: %s", session.ErrInvalid, safefile.Reason(err))
}
