//go:build unix

package hook

import (
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

// setProcessGroup makes a program the head of a process group, so that what it starts
// can be ended with it, and has it told to end when its context does.
func setProcessGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		if signalGroup(cmd, syscall.SIGTERM) != nil {
			return os.ErrProcessDone
		}
		return nil
	}
}

// killProcessGroup ends what a program that is gone has left running. The group's number
// is not given to another process while it has members.
func killProcessGroup(cmd *exec.Cmd) { _ = signalGroup(cmd, syscall.SIGKILL) }

func signalGroup(cmd *exec.Cmd, s syscall.Signal) error { return syscall.Kill(-cmd.Process.Pid, s) }

func isExecutable(info fs.FileInfo) bool { return info.Mode()&0o111 != 0 }
