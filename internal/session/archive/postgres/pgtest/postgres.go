//go:build hub && unix

package pgtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Postgres is a PostgreSQL server with a cluster of its own. Nobody else can connect: it
// listens on a socket in its directory.
type Postgres struct {
	process
	dir       string
	databases atomic.Int32
}

// StartPostgres starts a server with settings such as "fsync=on". It is faster than usual,
// because nothing needs to survive a failure of the machine.
func StartPostgres(t testing.TB, settings ...string) *Postgres {
	t.Helper()
	// Not t.TempDir, into which another user cannot look.
	dir, err := os.MkdirTemp("", "hub-pg")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	p := &Postgres{dir: dir}
	own := ownProcess(t, dir)
	init := exec.Command(binary(t, "initdb"), "-D", filepath.Join(dir, "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	init.SysProcAttr, init.Dir = own, dir
	if out, err := init.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	args := []string{"-D", filepath.Join(dir, "data"), "-k", dir, "-h", "", "-c", "fsync=off", "-c", "full_page_writes=off", "-c", "max_connections=200"}
	for _, s := range settings {
		args = append(args, "-c", s)
	}
	p.process = process{t: t, ready: p.ping, command: func() *exec.Cmd {
		cmd := exec.Command(binary(t, "postgres"), args...)
		cmd.SysProcAttr, cmd.Dir = own, dir
		return cmd
	}}
	p.start()
	t.Cleanup(p.cleanUp)
	return p
}

// ownProcess returns how a process runs as the user postgres, if this user is root:
// PostgreSQL refuses to run as root.
func ownProcess(t testing.TB, dir string) *syscall.SysProcAttr {
	if os.Getuid() != 0 {
		return nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		t.Fatal(err)
	}
	uid, _ := strconv.Atoi(u.Uid)
	gid, _ := strconv.Atoi(u.Gid)
	if err := os.Chown(dir, uid, gid); err != nil {
		t.Fatal(err)
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
}

// binary returns the path of a program of PostgreSQL: in PG_BIN, where Debian has it, or in
// PATH.
func binary(t testing.TB, name string) string {
	if dir := os.Getenv("PG_BIN"); dir != "" {
		return filepath.Join(dir, name)
	}
	if all, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name); len(all) > 0 {
		return all[len(all)-1]
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("%v: install PostgreSQL, or set PG_BIN; make test-hub does so", err)
	}
	return path
}

// url returns the address of a database.
func (p *Postgres) url(database string) string {
	return fmt.Sprintf("postgres://postgres@/%s?host=%s", database, p.dir)
}

func (p *Postgres) ping(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, p.url("postgres"))
	if err == nil {
		err = conn.Close(ctx)
	}
	return err
}

// NewDatabase creates an empty database and returns its address.
func (p *Postgres) NewDatabase(t testing.TB) string {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, p.url("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	name := fmt.Sprint("hub", p.databases.Add(1))
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	return p.url(name)
}

// Stop disconnects everybody and shuts the server down.
func (p *Postgres) Stop() { p.signal(syscall.SIGINT) }

// Kill kills the server in the middle of whatever it does.
func (p *Postgres) Kill() { p.signal(syscall.SIGKILL) }

// Start starts the server after Stop or Kill.
func (p *Postgres) Start() { p.start() }
