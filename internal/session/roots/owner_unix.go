//go:build unix

package roots

import (
	"io/fs"
	"syscall"
)

// hasSameOwner reports whether two files belong to the same user.
func hasSameOwner(a, b fs.FileInfo) bool {
	x, ok1 := a.Sys().(*syscall.Stat_t)
	y, ok2 := b.Sys().(*syscall.Stat_t)
	return ok1 && ok2 && x.Uid == y.Uid
}
