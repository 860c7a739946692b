package hook

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// killDelay is how long a program may run after SIGTERM before it is killed, and how long
// its children may keep its output open.
const killDelay = 400 * time.Millisecond

// Reasons for ending a program.
var (
	errTimeout       = errors.New("it took too long")
	errTooMuchOutput = fmt.Errorf("it printed more than %d MiB", maxOutput>>20)
)

// programRun is one run of a program.
type programRun struct {
	name     string // for messages
	argv     []string
	timeout  time.Duration
	input    func(io.Writer) error
	progress func(string) // may be nil
}

// runProgram returns the output of the program. When ctx ends it ends the program and
// everything that the program started, and returns the error of ctx.
func (j *programRun) runProgram(ctx context.Context) ([]byte, error) {
	limited, stop := context.WithTimeoutCause(ctx, j.timeout, fmt.Errorf("%w: more than %s", errTimeout, j.timeout))
	defer stop()
	limited, abort := context.WithCancelCause(limited)
	defer abort(nil)
	output := &programOutput{progress: j.progress, abort: abort}

	cmd := exec.CommandContext(limited, j.argv[0], j.argv[1:]...)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = (*stdoutWriter)(output), (*stderrWriter)(output), killDelay
	setProcessGroup(cmd)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, j.wrapError(err, output)
	}
	if err := cmd.Start(); err != nil {
		return nil, j.wrapError(err, output)
	}
	fed := make(chan struct{})
	go func() {
		defer close(fed)
		if err := writeInput(stdin, j.input); err != nil {
			abort(err)
		}
	}()
	err = cmd.Wait()
	killProcessGroup(cmd)
	<-fed
	return output.stdout, j.exitError(ctx, limited, err, output)
}

// exitError returns the error of a finished program. A reason for ending it takes
// precedence over its exit status.
func (j *programRun) exitError(ctx, limited context.Context, err error, output *programOutput) error {
	switch cause := context.Cause(limited); {
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", j.name, context.Cause(ctx))
	case cause != nil:
		return j.wrapError(cause, output)
	case errors.Is(err, exec.ErrWaitDelay): // it succeeded; one of its children still runs
		return nil
	case err != nil:
		return j.wrapError(err, output)
	}
	return nil
}

// wrapError returns an error with the end of the program's stderr.
func (j *programRun) wrapError(err error, output *programOutput) error {
	if words := output.stderrText(); words != "" {
		return fmt.Errorf("%w: %s: %w: %s", ErrFailed, j.name, err, words)
	}
	return fmt.Errorf("%w: %s: %w", ErrFailed, j.name, err)
}

// writeInput writes the input. It ignores a program that does not read all of it and
// returns errors in producing it.
func writeInput(stdin io.WriteCloser, input func(io.Writer) error) error {
	defer stdin.Close()
	to := &brokenPipeWriter{w: stdin}
	buffered := bufio.NewWriterSize(to, 64<<10)
	err := input(buffered)
	if err == nil {
		err = buffered.Flush()
	}
	if to.broken {
		return nil
	}
	return err
}

// brokenPipeWriter records whether the program has closed its stdin.
type brokenPipeWriter struct {
	w      io.Writer
	broken bool
}

func (d *brokenPipeWriter) Write(p []byte) (int, error) {
	n, err := d.w.Write(p)
	d.broken = d.broken || err != nil
	return n, err
}

// visibleText removes control characters from the output of a program.
func visibleText(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case r == '\t':
			return ' '
		case r < ' ' || r >= 0x7f && r < 0xa0:
			return -1
		}
		return r
	}, string(bytes.ToValidUTF8([]byte(s), []byte("\uFFFD")))))
}
