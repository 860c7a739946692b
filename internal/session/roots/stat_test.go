package roots_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sessiontree/internal/session/roots"
)

// keptInfo is the info of a copy of a file.
type keptInfo struct{ fs.FileInfo }

func (keptInfo) Sys() any            { return keptInfo{} }
func (keptInfo) CopyVersion() uint64 { return 7 }

// keptCopies has a copy of one file.
type keptCopies struct {
	roots.Copies
	path   string
	info   fs.FileInfo
	remote bool
}

func (c keptCopies) AreRemote() bool { return c.remote }

func (c keptCopies) StatCopy(path string) (fs.FileInfo, error) {
	if path != c.path {
		return nil, fs.ErrNotExist
	}
	return keptInfo{c.info}, nil
}

func TestSet_StatVersion(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, link, kept := filepath.Join(dir, "file"), filepath.Join(dir, "link"), filepath.Join(dir, "kept")
	modified := time.Unix(1_700_000_000, 123_456_789)
	if err := errors.Join(os.WriteFile(file, []byte("12345"), 0o600), os.Chtimes(file, modified, modified), os.Symlink("file", link)); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	here := roots.FileVersion{Size: 5, ModTime: modified.UnixNano()}
	copied := roots.FileVersion{Size: 5, ModTime: modified.UnixNano(), Copy: 7}
	check := func(copies roots.Copies, path string, want roots.FileVersion, wantErr error) {
		t.Helper()
		set, err := roots.New(nil, false, copies)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := set.StatVersion(path); got != want || !errors.Is(err, wantErr) {
			t.Errorf("%s: %+v, %v; want %+v, %v", filepath.Base(path), got, err, want, wantErr)
		}
	}
	copies := keptCopies{path: kept, info: info}
	check(copies, file, here, nil)
	check(copies, link, here, nil)
	check(copies, kept, copied, nil)
	check(copies, filepath.Join(dir, "other"), roots.FileVersion{}, fs.ErrNotExist)
	check(keptCopies{path: kept, info: info, remote: true}, file, roots.FileVersion{}, fs.ErrNotExist)
	check(keptCopies{path: file, info: info, remote: true}, file, copied, nil)
	check(nil, file, here, nil)
}
