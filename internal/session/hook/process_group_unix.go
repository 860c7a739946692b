//go:build unix

package hook

import (
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

// setProcessGroup makes a program the leader of a process group, so that its children can
// be ended with it, and sends SIGTERM to the group when the context ends.
func setProcessGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		if signalGroup(cmd, syscall.SIGTERM) != nil {
			return os.ErrProcessDone
		}
		return nil
	}
}

// killProcessGroup kills what a finished program has left running. The group's number is
// not reused while the group has members.
func killProcessGroup(cmd *exec.Cmd) { _ = signalGroup(cmd, syscall.SIGKILL) }

func signalGroup(cmd *exec.Cmd, s syscall.Signal) error { return syscall.Kill(-cmd.Process.Pid, s) }

func isExecutable(info fs.FileInfo) bool { return info.Mode()&0o111 != 0 }
