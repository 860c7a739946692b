//go:build unix

package roots

import "golang.org/x/sys/unix"

// statVersion returns the version of a file, and false if os.Stat must tell why not.
func statVersion(path string) (v FileVersion, ok bool) {
	var st unix.Stat_t
	if unix.Stat(path, &st) != nil {
		return v, false
	}
	return FileVersion{Size: st.Size, ModTime: st.Mtim.Nano()}, true
}
