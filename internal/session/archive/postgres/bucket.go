package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// Blobs is a bucket of an S3 server.
type Blobs struct {
	Bucket    string
	Prefix    string // of the names of objects
	Endpoint  string // http://host:port or https://host; that of AWS if empty
	Region    string // us-east-1 if empty
	AccessKey string // with SecretKey; those of the environment, files or the machine if empty
	SecretKey string
}

// ParseBlobs parses an address such as s3://bucket/prefix?endpoint=https://host&region=eu-1.
// The endpoint and the region may be in the environment instead, as for other S3 clients.
func ParseBlobs(address string, getenv func(string) string) (Blobs, error) {
	u, err := url.Parse(address)
	if err != nil {
		return Blobs{}, fmt.Errorf("object storage: %w", err)
	}
	if u.Scheme != "s3" || u.Host == "" || u.User != nil {
		return Blobs{}, fmt.Errorf("object storage: %q is not an address such as s3://bucket/prefix", u.Redacted())
	}
	b := Blobs{Bucket: u.Host, Prefix: strings.Trim(u.Path, "/")}
	if b.Prefix != "" {
		b.Prefix += "/"
	}
	query := u.Query()
	for name := range query {
		if name != "endpoint" && name != "region" {
			return Blobs{}, fmt.Errorf("object storage: %q is unknown, only endpoint and region are known", name)
		}
	}
	b.Endpoint = firstOf(query.Get("endpoint"), getenv("AWS_ENDPOINT_URL_S3"), getenv("AWS_ENDPOINT_URL"))
	b.Region = firstOf(query.Get("region"), getenv("AWS_REGION"), getenv("AWS_DEFAULT_REGION"))
	return b, nil
}

// firstOf returns the first text that is not empty.
func firstOf(texts ...string) string {
	for _, s := range texts {
		if s != "" {
			return s
		}
	}
	return ""
}

// errNoObject is returned for an object that does not exist. A compaction may have replaced
// it meanwhile.
var errNoObject = errors.New("an object of the object storage is missing")

// Limits of requests. An upload must end long before orphanAge.
const (
	uploadTimeout  = 10 * time.Minute
	requestTimeout = 30 * time.Second
	maxRetries     = 3
)

// bucket is a connected Blobs.
type bucket struct {
	client *minio.Client
	name   string
	prefix string
}

func newBucket(b Blobs) (*bucket, error) {
	endpoint, err := url.Parse(firstOf(b.Endpoint, "https://s3.amazonaws.com"))
	if err != nil || endpoint.Host == "" || endpoint.Scheme != "http" && endpoint.Scheme != "https" {
		return nil, fmt.Errorf("object storage: %q is not the address of a server", b.Endpoint)
	}
	creds := credentials.NewStaticV4(b.AccessKey, b.SecretKey, "")
	if b.AccessKey == "" {
		creds = credentials.NewChainCredentials([]credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}, &credentials.IAM{}})
	}
	client, err := minio.New(endpoint.Host, &minio.Options{
		Creds: creds, Secure: endpoint.Scheme == "https", Region: firstOf(b.Region, "us-east-1"), MaxRetries: maxRetries,
	})
	if err != nil {
		return nil, fmt.Errorf("object storage: %w", err)
	}
	return &bucket{client: client, name: b.Bucket, prefix: b.Prefix}, nil
}

// checkTimeout is how long S3 may take to respond when a hub starts.
const checkTimeout = 5 * time.Second

// openBucket returns a bucket. It is an error if S3 refuses it, but not if S3 is down.
func openBucket(ctx context.Context, blobs Blobs, log *slog.Logger) (*bucket, error) {
	b, err := newBucket(blobs)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	exists, err := b.client.BucketExists(ctx, b.name)
	var response minio.ErrorResponse
	switch {
	case err == nil && !exists:
		return nil, fmt.Errorf("object storage: there is no bucket %q", b.name)
	case errors.As(err, &response) && response.StatusCode >= 400 && response.StatusCode < 500:
		return nil, fmt.Errorf("object storage: bucket %q: %w", b.name, err)
	case err != nil:
		log.Warn("the object storage cannot be reached, bytes wait in the database", "err", err)
	}
	return b, nil
}

// put stores an object.
func (b *bucket) put(ctx context.Context, key string, content []byte) error {
	ctx, cancel := context.WithTimeout(ctx, uploadTimeout)
	defer cancel()
	_, err := b.client.PutObject(ctx, b.name, key, bytes.NewReader(content), int64(len(content)),
		minio.PutObjectOptions{ContentType: "application/octet-stream", DisableMultipart: true})
	return b.wrap(err)
}

// remove deletes an object. It is no error if there is none.
func (b *bucket) remove(ctx context.Context, key string) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	if err := b.wrap(b.client.RemoveObject(ctx, b.name, key, minio.RemoveObjectOptions{})); !errors.Is(err, errNoObject) {
		return err
	}
	return nil
}

// read returns n bytes of an object from an offset.
func (b *bucket) read(ctx context.Context, key string, off, n int64) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	opts := minio.GetObjectOptions{}
	if err := opts.SetRange(off, off+n-1); err != nil {
		return nil, err
	}
	o, err := b.client.GetObject(ctx, b.name, key, opts)
	if err != nil {
		return nil, b.wrap(err)
	}
	defer o.Close()
	data := make([]byte, n)
	if _, err := io.ReadFull(o, data); err != nil {
		return nil, b.wrap(err)
	}
	return data, nil
}

func (b *bucket) wrap(err error) error {
	var response minio.ErrorResponse
	switch {
	case err == nil:
		return nil
	case errors.As(err, &response) && response.Code == minio.NoSuchKey:
		return fmt.Errorf("object storage: %w: %w", errNoObject, err)
	}
	return fmt.Errorf("object storage: %w", err)
}

// fetch reads the bytes of the segments that are in objects. Neighbors are read at once.
func (b *bucket) fetch(ctx context.Context, segments []storedSegment) error {
	for i := 0; i < len(segments); {
		if segments[i].key == "" {
			i++
			continue
		}
		if b == nil {
			return errors.New("these bytes are in S3, and the hub was started without it")
		}
		end, n := i, int64(0)
		for ; end < len(segments) && segments[end].key == segments[i].key && segments[end].objectOff == segments[i].objectOff+n; end++ {
			n += int64(segments[end].storedLen)
		}
		data, err := b.read(ctx, segments[i].key, segments[i].objectOff, n)
		if err != nil {
			return err
		}
		for ; i < end; i++ {
			segments[i].bytes, data = data[:segments[i].storedLen], data[segments[i].storedLen:]
		}
	}
	return nil
}
