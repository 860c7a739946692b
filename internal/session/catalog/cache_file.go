package catalog

import (
	"bufio"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/spill"
)

// The name of the file includes the version of its content. It must change with the summaries,
// with how they are computed, and with the names of the fields.
const (
	cachePrefix  = "catalog-"
	cacheVersion = 26
)

// maxCacheSize limits the size of the file; 100,000 sessions need less than that.
const maxCacheSize = 1 << 30

// cacheBuffer is how many bytes of the file are read or written at once.
const cacheBuffer = 256 << 10

func cachePath(dir string) string { return filepath.Join(dir, cachePrefix+strconv.Itoa(cacheVersion)) }

// The file is the checksum of the rest, the length of the data of sessions that need not be in memory,
// this data, and then as gob values the facts and each item: all items at once would take as much
// memory again as they have. Items refer to their data, which stays in the file until it is used.
const (
	checksumSize    = crc32.Size
	cacheHeaderSize = checksumSize + 8
)

// newChecksum returns a hash that finds damage by the disk. It takes an eighth of the time of a
// cryptographic one, which each start would wait for.
func newChecksum() hash.Hash32 { return crc32.New(crc32.MakeTable(crc32.Castagnoli)) }

// readCacheFile returns the content of the file in a directory, nil if there is none that is
// complete. With inMemory it reads the data of sessions too, and closes the file.
func readCacheFile(dir string, inMemory bool) *cacheContent {
	f, info, err := safefile.OpenRegular(cachePath(dir))
	if err != nil {
		return nil
	}
	k, err := decodeCache(f, info.Size())
	if err == nil && !inMemory {
		return k
	}
	defer f.Close()
	if err != nil || k.moveIntoMemory() != nil {
		return nil
	}
	return k
}

// decodeCache reads all but the data of sessions from a file.
func decodeCache(f *os.File, size int64) (*cacheContent, error) {
	if size > maxCacheSize {
		return nil, errors.New("too large")
	}
	var header [cacheHeaderSize]byte
	if _, err := io.ReadFull(f, header[:]); err != nil {
		return nil, err
	}
	sum, length := header[:checksumSize], header[checksumSize:]
	checksum := newChecksum()
	checksum.Write(length)
	if _, err := io.CopyN(checksum, f, int64(min(binary.LittleEndian.Uint64(length), maxCacheSize))); err != nil {
		return nil, err
	}
	in := gob.NewDecoder(bufio.NewReaderSize(io.TeeReader(f, checksum), cacheBuffer))
	k := new(cacheContent)
	if err := in.Decode(&k.cacheFacts); err != nil {
		return nil, err
	}
	paths := make(map[string]string, len(k.Related))
	for path := range k.Related {
		paths[path] = path
	}
	for {
		it := new(listedSession)
		if err := in.Decode(it); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		it.Spend.Moved.In(f)
		it.State.IDs.Moved.In(f)
		if same, ok := paths[it.Summary.Path]; ok {
			it.Summary.Path = same // one string in memory rather than two
		}
		it.shareStrings()
		it.Spend.ShareStrings()
		k.Items = append(k.Items, it)
	}
	if checksum.Sum32() != binary.BigEndian.Uint32(sum) {
		return nil, errors.New("damaged")
	}
	return k, nil
}

// moveIntoMemory reads the data of all sessions.
func (k *cacheContent) moveIntoMemory() (err error) {
	for i := range k.Items {
		if k.Items[i], err = k.Items[i].inMemory(); err != nil {
			return err
		}
	}
	return nil
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

// encode writes the content to an empty file. It leaves out sessions whose data cannot be read.
// They are read again at the next start.
func (k *cacheContent) encode(f *os.File) error {
	checksum := newChecksum()
	data := &dataWriter{out: bufio.NewWriterSize(io.NewOffsetWriter(f, cacheHeaderSize), cacheBuffer), off: cacheHeaderSize}
	saved := make([]savedItem, 0, len(k.Items))
	for _, it := range k.Items {
		complete, err := it.inMemory()
		if err != nil {
			continue
		}
		if err = complete.moveData(data); err != nil {
			return err
		}
		saved = append(saved, savedItem{it, complete.Spend.Moved, complete.State.IDs.Moved})
	}
	if err := data.out.Flush(); err != nil {
		return err
	}
	length := binary.LittleEndian.AppendUint64(nil, uint64(data.off-cacheHeaderSize))
	checksum.Write(length)
	if _, err := io.Copy(checksum, io.NewSectionReader(f, cacheHeaderSize, data.off-cacheHeaderSize)); err != nil {
		return err
	}
	end := bufio.NewWriterSize(io.NewOffsetWriter(f, data.off), cacheBuffer)
	out := gob.NewEncoder(io.MultiWriter(end, checksum))
	if err := out.Encode(k.cacheFacts); err != nil {
		return err
	}
	for _, s := range saved {
		if err := out.Encode(s.item()); err != nil {
			return err
		}
	}
	if err := end.Flush(); err != nil {
		return err
	}
	_, err := f.WriteAt(append(checksum.Sum(nil), length...), 0)
	return err
}

// savedItem is where data of a session is in the cache file, Size 0 if it is in the item.
type savedItem struct {
	it         *listedSession
	spend, ids spill.Bytes
}

// item returns the session with that data in the cache file.
func (s *savedItem) item() *listedSession {
	next := *s.it
	if s.spend.Size > 0 {
		next.Spend.Log, next.Spend.Moved = nil, s.spend
	}
	if s.ids.Size > 0 {
		next.State.IDs.Bits, next.State.IDs.Moved = nil, s.ids
	}
	return &next
}

// dataWriter writes the data of sessions to a file, from an offset on.
type dataWriter struct {
	out *bufio.Writer
	off int64
}

// Add implements spill.Store.
func (w *dataWriter) Add(data []byte) (spill.Bytes, error) {
	b := spill.Bytes{Off: w.off, Size: len(data)}
	n, err := w.out.Write(data)
	w.off += int64(n)
	return b, err
}
