//go:build unix

package hook

import (
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes a program the head of a process group, so that what it starts
// can be ended with it, and has it told to end when its context does.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		if signal(cmd, syscall.SIGTERM) != nil {
			return os.ErrProcessDone
		}
		return nil
	}
}

// endGroup ends what a program that is gone has left running. The group's number
// is not given to another process while it has members.
func endGroup(cmd *exec.Cmd) { _ = signal(cmd, syscall.SIGKILL) }

func signal(cmd *exec.Cmd, s syscall.Signal) error { return syscall.Kill(-cmd.Process.Pid, s) }

func executable(info fs.FileInfo) bool { return info.Mode()&0o111 != 0 }
