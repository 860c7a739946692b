package store

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"sessiontree/internal/session"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/scan"
)

// Overwriting the title slot at the start of a file is the only write that is not an
// append. It replaces the same number of bytes in one system call, after checking that
// they are those that were read.

// checkSlot returns an error unless the first line of the file is the slot that was
// last read.
func (p *writer) checkSlot() error {
	head := make([]byte, p.session.checkpoint.Slot)
	if err := safefile.ReadFull(p.lock.file, head, 0); err != nil {
		return p.session.at.PathError(err)
	}
	line, rest, ended := bytes.Cut(head, []byte("\n"))
	rec, err := p.session.Format().ScanLine(line, p.session.lib.scanOptions.Home)
	if err != nil || !rec.Ignored || !ended || len(rest) > 0 || !p.session.checkpoint.IsSlot(head) {
		return newRefusal(session.ErrConflict, "The first line of %s is not the title that was read. Try again.", p.session.at.Path)
	}
	return nil
}

// overwriteSlot replaces the first line and verifies it. The lines that belong to it
// have been appended, which its errors say.
func (p *writer) overwriteSlot(ctx context.Context, l *session.Line) error {
	p.session.lib.testHook("appended")
	head := append(bytes.Clone(l.Text), '\n')
	p.session.lib.own.Begin(p.session.at.Path, p.session.LastAgentWrite())
	var after *scan.Checkpoint
	defer func() { p.session.lib.own.End(p.session.at.Path, after) }()
	if err := p.writeSlot(head); err != nil {
		return newWrittenRefusal("The line with the new name was appended, but the title at the start of %s was not changed, so the name is unchanged: %v", p.session.at.Path, err)
	}
	if err := p.refreshLockedFile(ctx); err != nil {
		return newWrittenRefusal("%s: the name was written, but cannot be read back: %v", p.session.at.Path, err)
	}
	now := make([]byte, len(head))
	if err := safefile.ReadFull(p.lock.file, now, 0); err != nil || !bytes.Equal(now, head) {
		return newWrittenRefusal("%s: the title at its start was changed by another writer while it was written.", p.session.at.Path)
	}
	after = &p.session.checkpoint
	return nil
}

// writeSlot overwrites the first bytes of the file.
func (p *writer) writeSlot(head []byte) error {
	if err := p.checkSlot(); err != nil {
		return err
	}
	// The locked descriptor appends, whatever the offset.
	f, err := p.lock.dir.OpenFile(p.session.at.Rel, os.O_RDWR, 0)
	if err != nil {
		return writeDeniedError(p.session.at, "the file", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return p.session.at.PathError(err)
	}
	if !os.SameFile(info, p.lock.info) {
		return fmt.Errorf("the file was replaced")
	}
	if _, err := f.WriteAt(head, 0); err != nil {
		return p.session.at.PathError(err)
	}
	return f.Sync()
}
