//go:build !unix

package hook

import (
	"io/fs"
	"os/exec"
)

// setProcessGroup does nothing on this system: ending the context ends only the program.
func setProcessGroup(*exec.Cmd) {}

func killProcessGroup(*exec.Cmd) {}

// isExecutable returns true because here the file name determines whether a file can be
// run.
func isExecutable(fs.FileInfo) bool { return true }
