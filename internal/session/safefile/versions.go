package safefile

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// RemoveEarlierVersions removes the files in a directory whose names are the prefix and a lower
// number than version: caches of earlier versions of the program, which only take up space.
func RemoveEarlierVersions(dir, prefix string, version int) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, f := range files {
		number, ok := strings.CutPrefix(f.Name(), prefix)
		if n, err := strconv.Atoi(number); ok && err == nil && n < version {
			_ = os.Remove(filepath.Join(dir, f.Name()))
		}
	}
}
