//go:build hub && unix

package pgtest

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// S3 is a versitygw: an S3 server that stores objects as files.
type S3 struct {
	process
	Endpoint  string // http://host:port
	AccessKey string
	SecretKey string
	Dir       string // with a directory per bucket
	host      string
}

// StartS3 starts a server. The program is VERSITYGW, or the one that make test-hub built.
func StartS3(t testing.TB) *S3 {
	t.Helper()
	dir := t.TempDir()
	s := &S3{AccessKey: "hub-access", SecretKey: "hub-secret-of-a-test", Dir: filepath.Join(dir, "data"), host: net.JoinHostPort("127.0.0.1", freePort(t))}
	s.Endpoint = "http://" + s.host
	sidecar := filepath.Join(dir, "sidecar") // temporary directories may have no extended attributes
	for _, d := range []string{s.Dir, sidecar} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	s.process = process{t: t, ready: s.ping, command: func() *exec.Cmd {
		cmd := exec.Command(gateway(t), "--port", s.host, "--quiet", "posix", "--sidecar", sidecar, s.Dir)
		cmd.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+s.AccessKey, "ROOT_SECRET_KEY="+s.SecretKey)
		return cmd
	}}
	s.start()
	t.Cleanup(s.cleanUp)
	return s
}

// gateway returns the path of versitygw.
func gateway(t testing.TB) string {
	if path := os.Getenv("VERSITYGW"); path != "" {
		return path
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		path := filepath.Join(dir, ".cache", "hub", "versitygw")
		if _, err := os.Stat(path); err == nil {
			return path
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no versitygw: make test-hub builds it, VERSITYGW selects another one")
		}
		dir = up
	}
}

// Client returns a client of the server.
func (s *S3) Client(t testing.TB) *minio.Client {
	t.Helper()
	c, err := minio.New(s.host, &minio.Options{Creds: credentials.NewStaticV4(s.AccessKey, s.SecretKey, ""), Region: "us-east-1", MaxRetries: 1})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (s *S3) ping(ctx context.Context) error {
	_, err := s.Client(s.t).ListBuckets(ctx)
	return err
}

// NewBucket creates a bucket.
func (s *S3) NewBucket(t testing.TB, name string) {
	t.Helper()
	if err := s.Client(t).MakeBucket(context.Background(), name, minio.MakeBucketOptions{}); err != nil {
		t.Fatal(err)
	}
}

// Stop kills the server: it has nothing in memory that it was given.
func (s *S3) Stop() { s.signal(syscall.SIGKILL) }

// Start starts the server after Stop.
func (s *S3) Start() { s.start() }
