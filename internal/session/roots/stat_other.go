//go:build !unix

package roots

// statVersion returns false: os.Stat tells the version.
func statVersion(string) (v FileVersion, ok bool) { return v, false }
