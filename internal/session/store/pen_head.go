package store

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"sessiontree/internal/session"
)

// Overwriting the slot at the start of a file is the one write that is no append. It
// puts as many bytes as were there in their place, in one call of the system, after
// looking that they are those that were read.

// checkHead reports why the first line of the file may not be overwritten: it must be
// the slot that was read last.
func (p *pen) checkHead() error {
	head := make([]byte, p.s.mark.Slot)
	if err := readFull(p.hold.file, head, 0); err != nil {
		return p.s.at.failed(err)
	}
	line, rest, ended := bytes.Cut(head, newline)
	rec, err := p.s.Format().Scan(line, p.s.lib.home)
	if err != nil || !rec.Skip || !ended || len(rest) > 0 || sum(head) != p.s.mark.SlotSum {
		return refuse(session.ErrConflict, "The first line of %s is not the title that was read. Try again.", p.s.at.path)
	}
	return nil
}

// overwriteHead puts a line in the place of the first one and reads it back. The lines
// that belong to it have been appended: an error says so.
func (p *pen) overwriteHead(ctx context.Context, l *session.Line) error {
	p.s.lib.pause("appended")
	theirs, head := p.s.AgentWrote(), append(bytes.Clone(l.Text), '\n')
	if err := p.writeHead(head); err != nil {
		return tooLate("The line that tells of the new name was appended, but the title at the start of %s was not changed, so the name is as it was: %v", p.s.at.path, err)
	}
	if err := p.refresh(ctx); err != nil {
		return tooLate("%s: the name was written, but cannot be read back: %v", p.s.at.path, err)
	}
	now := make([]byte, len(head))
	if err := readFull(p.hold.file, now, 0); err != nil || !bytes.Equal(now, head) {
		return tooLate("%s: the title at its start was changed by another writer while it was written.", p.s.at.path)
	}
	p.s.know(func(k *known) { k.theirs = theirs })
	return nil
}

// writeHead overwrites the first bytes of the file.
func (p *pen) writeHead(head []byte) error {
	if err := p.checkHead(); err != nil {
		return err
	}
	// The descriptor that is held appends, wherever it is told to write.
	f, err := p.hold.dir.OpenFile(p.s.at.rel, os.O_RDWR, 0)
	if err != nil {
		return p.s.at.denied("the file", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return p.s.at.failed(err)
	}
	if !os.SameFile(info, p.hold.info) {
		return fmt.Errorf("the file was replaced")
	}
	if _, err := f.WriteAt(head, 0); err != nil {
		return p.s.at.failed(err)
	}
	return f.Sync()
}
