package catalog

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"sessiontree/internal/session/safefile"
)

// The name of the file includes the version of its content. It must change with the summaries,
// with how they are computed, and with the names of the fields.
const (
	cachePrefix  = "catalog-"
	cacheVersion = 24
)

// maxCacheSize limits the size of the file; 100,000 sessions need less than that.
const maxCacheSize = 1 << 30

// cacheBuffer is how many bytes of the file are read or written at once.
const cacheBuffer = 256 << 10

func cachePath(dir string) string { return filepath.Join(dir, cachePrefix+strconv.Itoa(cacheVersion)) }

// The file is the hash of the rest, and then as gob values the facts and each item: all items at
// once would take as much memory again as they have.

// readCacheFile returns the content of the file in a directory, nil if there is none that is
// complete.
func readCacheFile(dir string) *cacheContent {
	f, info, err := safefile.OpenRegular(cachePath(dir))
	if err != nil {
		return nil
	}
	defer f.Close()
	var sum [sha256.Size]byte
	if _, err := io.ReadFull(f, sum[:]); err != nil || info.Size() > maxCacheSize {
		return nil
	}
	hash := sha256.New()
	in := gob.NewDecoder(bufio.NewReaderSize(io.TeeReader(f, hash), cacheBuffer))
	var k cacheContent
	if in.Decode(&k.cacheFacts) != nil {
		return nil
	}
	for {
		it := new(listedSession)
		if err := in.Decode(it); err == io.EOF {
			break
		} else if err != nil {
			return nil
		}
		k.Items = append(k.Items, it)
	}
	if !bytes.Equal(hash.Sum(nil), sum[:]) {
		return nil
	}
	return &k
}

// writeCacheFile replaces the file in a directory by renaming a temporary one, so that it is
// never incomplete, and removes those of earlier versions.
func writeCacheFile(dir string, k *cacheContent) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("cache directory: %w", err)
	}
	f, err := os.CreateTemp(dir, "."+cachePrefix+"*.tmp")
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	err = errors.Join(k.encode(f), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), cachePath(dir))
	}
	if err != nil {
		return fmt.Errorf("cache of the session list: %w", errors.Join(err, safefile.IgnoreError(os.Remove(f.Name()), fs.ErrNotExist)))
	}
	safefile.RemoveEarlierVersions(dir, cachePrefix, cacheVersion)
	return nil
}

// encode writes the content to an empty file. It leaves out sessions whose moved data
// cannot be read. They are read again at the next start.
func (k *cacheContent) encode(f *os.File) error {
	file, hash := bufio.NewWriterSize(f, cacheBuffer), sha256.New()
	if _, err := file.Write(make([]byte, sha256.Size)); err != nil {
		return err
	}
	out := gob.NewEncoder(io.MultiWriter(file, hash))
	if err := out.Encode(k.cacheFacts); err != nil {
		return err
	}
	for _, it := range k.Items {
		complete, err := it.inMemory()
		if err != nil {
			continue
		}
		if err := out.Encode(complete); err != nil {
			return err
		}
	}
	if err := file.Flush(); err != nil {
		return err
	}
	_, err := f.WriteAt(hash.Sum(nil), 0)
	return err
}
