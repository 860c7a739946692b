package keep

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"sessiontree/internal/session"
	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/blobs"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/scan"
)

// appendUntil stores the bytes of the file from the end of head up to end, in segments that
// end after a line where that is possible.
func (c *fileCopy) appendUntil(ctx context.Context, head archive.Head, end int64) (archive.Head, error) {
	buf := make([]byte, min(end-head.End, archive.MaxSegment))
	for first := true; first || head.End < end; first = false {
		if err := ctx.Err(); err != nil {
			return head, err
		}
		data := buf[:min(int64(len(buf)), end-head.End)]
		if err := safefile.ReadFull(c.file, data, head.End); err != nil {
			if errors.Is(err, io.ErrUnexpectedEOF) {
				return head, nil // it has just become shorter, which is the next change
			}
			return head, copyError(c.path, err)
		}
		if i := bytes.LastIndexByte(data, '\n'); i >= 0 && head.End+int64(len(data)) < end {
			data = data[:i+1]
		}
		if len(data) == 0 && c.info.Size() > head.End {
			return head, nil // only an unfinished line is new
		}
		next, err := c.keeper.archive.Append(ctx, archive.Segment{
			Path: c.path, Generation: head.Generation, Off: head.End, Before: head.Chain, Data: data, ModTime: c.info.ModTime(),
		})
		if err != nil {
			return head, err
		}
		head = next
		if err := c.copyBlobs(ctx, data); err != nil {
			return head, err
		}
	}
	return head, nil
}

// maxBlobReference is more bytes than a reference to a blob has.
const maxBlobReference = 256

// copyBlobs copies the blobs that lines refer to.
func (c *fileCopy) copyBlobs(ctx context.Context, data []byte) error {
	if c.known.format == nil {
		if c.known.format = c.keeper.sniffFormat(c.file); c.known.format == nil {
			return nil
		}
	}
	of := c.known.format.Blobs
	if of == nil {
		return nil
	}
	text := append(c.overlap, data...) // a long line may be cut within a reference
	for _, name := range of.Names(text) {
		if err := c.keeper.copyBlob(ctx, blobs.Dirs{Session: c.path, Name: of.Dir}, name); err != nil {
			return err
		}
	}
	c.overlap = bytes.Clone(text[max(0, len(text)-maxBlobReference):])
	return nil
}

// copyBlob copies a blob unless it was copied before. Its name is a hash of its content.
func (k *Keeper) copyBlob(ctx context.Context, dirs blobs.Dirs, name string) error {
	path, ok := dirs.FindFile(name)
	if !ok || k.archive.Has(path) {
		return nil
	}
	defer k.paths.Lock(path)()
	f, info, err := roots.Place{Dir: filepath.Dir(path), Rel: name, Path: path}.OpenOnDisk()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return copyError(path, err)
	}
	defer f.Close()
	c := &fileCopy{keeper: k, path: path, file: f, info: info}
	return c.run(ctx)
}

// sniffFormat returns the format of a session file, nil if it has none.
func (k *Keeper) sniffFormat(f io.ReaderAt) *session.Format {
	found, _ := scan.SniffFormat(k.formats, f, "") // a file that cannot be read has none
	return found
}
