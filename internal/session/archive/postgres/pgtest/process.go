//go:build hub && unix

// Package pgtest starts real servers for tests: PostgreSQL and S3. Each has its own
// directory, which is removed after the test.
package pgtest

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"
)

// startTimeout is how long a server may take to start or to stop.
const startTimeout = 30 * time.Second

// process is a server that can be started again after it was stopped.
type process struct {
	t       testing.TB
	command func() *exec.Cmd
	ready   func(context.Context) error

	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
	log  logBuffer
}

// start starts the server and waits until it is ready.
func (p *process) start() {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	for {
		p.launch()
		err := p.waitReady(ctx)
		if err == nil {
			return
		}
		p.signal(syscall.SIGKILL)
		if ctx.Err() != nil {
			p.t.Fatalf("%s did not start: %v\n%s", p.cmd.Path, err, p.log.String())
		}
		sleep(ctx, 100*time.Millisecond) // what was killed before may still be ending
	}
}

func (p *process) launch() {
	p.cmd, p.done = p.command(), make(chan struct{})
	p.cmd.Stdout, p.cmd.Stderr = &p.log, &p.log
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	cmd, done := p.cmd, p.done
	go func() {
		_ = cmd.Wait()
		close(done)
	}()
}

// waitReady waits until the server is ready. It returns an error if it ends before.
func (p *process) waitReady(ctx context.Context) error {
	for {
		err := p.ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-p.done:
			return err
		case <-ctx.Done():
			return err
		case <-time.After(30 * time.Millisecond):
		}
	}
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// signal ends the server by a signal and waits for the end.
func (p *process) signal(s os.Signal) {
	_ = p.cmd.Process.Signal(s) // fails if it has ended
	select {
	case <-p.done:
	case <-time.After(startTimeout):
		_ = p.cmd.Process.Kill()
		<-p.done
		p.t.Errorf("%s did not end by %v", p.cmd.Path, s)
	}
}

// cleanUp kills the server after the test, and shows what it said if the test failed.
func (p *process) cleanUp() {
	p.signal(syscall.SIGKILL)
	if p.t.Failed() {
		p.t.Logf("the last output of %s:\n%s", p.cmd.Path, p.log.String())
	}
}

// logBuffer keeps the end of what a process writes.
type logBuffer struct {
	mu  sync.Mutex
	end []byte
}

const maxLog = 8 << 10

// Write implements io.Writer.
func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.end = append(b.end, p...)
	if len(b.end) > maxLog {
		b.end = bytes.Clone(b.end[len(b.end)-maxLog:])
	}
	return len(p), nil
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return string(b.end)
}

// freePort returns the number of a port that nothing listens on.
func freePort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}
