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

// killDelay is how long a program that is told to end may take before it is made to,
// and how long what it has left running may hold its output open.
const killDelay = 400 * time.Millisecond

// Why a program was ended.
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

// runProgram answers what the program prints. When ctx ends, so does the program and
// everything it has started, and the error is that of ctx.
func (j *programRun) runProgram(ctx context.Context) ([]byte, error) {
	limited, stop := context.WithTimeoutCause(ctx, j.timeout, fmt.Errorf("%w: more than %s", errTimeout, j.timeout))
	defer stop()
	limited, abort := context.WithCancelCause(limited)
	defer abort(nil)
	said := &programOutput{progress: j.progress, abort: abort}

	cmd := exec.CommandContext(limited, j.argv[0], j.argv[1:]...)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = (*stdoutWriter)(said), (*stderrWriter)(said), killDelay
	setProcessGroup(cmd)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, j.wrapError(err, said)
	}
	if err := cmd.Start(); err != nil {
		return nil, j.wrapError(err, said)
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
	return said.stdout, j.exitError(ctx, limited, err, said)
}

// exitError finds out how it ended: what made us end it comes before what became of
// the program then.
func (j *programRun) exitError(ctx, limited context.Context, err error, said *programOutput) error {
	switch cause := context.Cause(limited); {
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", j.name, context.Cause(ctx))
	case cause != nil:
		return j.wrapError(cause, said)
	case errors.Is(err, exec.ErrWaitDelay): // it ended well; something it started did not
		return nil
	case err != nil:
		return j.wrapError(err, said)
	}
	return nil
}

// wrapError words why the program did not do its work, with its own last words.
func (j *programRun) wrapError(err error, said *programOutput) error {
	if words := said.stderrText(); words != "" {
		return fmt.Errorf("%w: %s: %w: %s", ErrFailed, j.name, err, words)
	}
	return fmt.Errorf("%w: %s: %w", ErrFailed, j.name, err)
}

// writeInput writes the input. A program that does not want all of it is none of our
// business; input that cannot be had is.
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

// brokenPipeWriter remembers whether it was the reader who stopped.
type brokenPipeWriter struct {
	w      io.Writer
	broken bool
}

func (d *brokenPipeWriter) Write(p []byte) (int, error) {
	n, err := d.w.Write(p)
	d.broken = d.broken || err != nil
	return n, err
}

// visibleText makes what a program said fit to be shown: text without control
// characters.
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
