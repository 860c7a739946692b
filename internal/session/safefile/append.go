package safefile

import (
	"fmt"
	"io"
	"os"
)

// AppendOnce appends text, which is whole lines, to a file that the caller has locked
// and that was before bytes long. It returns the offset of the text, which is greater
// than before if another writer appended first. If AppendOnce fails, the file is
// unchanged, or the error says what was written.
func AppendOnce(f *os.File, text []byte, before int64) (start int64, err error) {
	if err := reserveSpace(f, before, len(text)); err != nil {
		return 0, fmt.Errorf("nothing was written: %w", err)
	}
	n, err := writeOnce(f, text)
	if n < len(text) {
		if err == nil {
			err = fmt.Errorf("there was no room for all of it: %w", io.ErrShortWrite)
		}
		return 0, undoShortWrite(f, before, n, err)
	}
	end, err := f.Seek(0, io.SeekCurrent) // an append leaves the offset after its last byte
	if err != nil {
		return 0, NewUnconfirmedError(f.Name(), "the change was written", fmt.Errorf("where it is cannot be found out: %w", err))
	}
	return end - int64(n), nil
}

// undoShortWrite truncates the n bytes of a short write, unless another process has
// written since.
func undoShortWrite(f *os.File, before int64, n int, cause error) error {
	if n == 0 {
		return fmt.Errorf("nothing was written: %w", cause)
	}
	info, err := f.Stat()
	if err == nil && info.Size() == before+int64(n) {
		if err = f.Truncate(before); err == nil {
			return fmt.Errorf("nothing was written: %w", cause)
		}
	}
	return fmt.Errorf("the file now ends in %d bytes of an unfinished line: %w", n, cause)
}

// EndsWithNewline reports whether a file of the given size ends with a newline.
func EndsWithNewline(f io.ReaderAt, size int64) (bool, error) {
	var last [1]byte
	if err := ReadFull(f, last[:], size-1); err != nil {
		return false, err
	}
	return last[0] == '\n', nil
}

// ReadFull reads all of b or returns io.ErrUnexpectedEOF.
func ReadFull(f io.ReaderAt, b []byte, off int64) error {
	n, err := f.ReadAt(b, off)
	if n == len(b) {
		return nil
	}
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
