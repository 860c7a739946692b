package store

import (
	"context"
	"fmt"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/scan"
)

// NewFileSource is what a new file is made of. It is valid until the function returns that
// it was passed to.
type NewFileSource struct {
	Tree     *session.Tree
	Epoch    uint64 // of the tree
	ReadLine session.LineReader
	Now      time.Time
	update   update
}

// PrepareNewFile refreshes the session and calls fn with what a new file can be made of.
// The session does not change until fn returns.
func (s *Session) PrepareNewFile(ctx context.Context, fn func(src *NewFileSource) error) error {
	if _, err := s.Refresh(ctx); err != nil {
		return err
	}
	f, _, err := s.at.OpenFile()
	if err != nil {
		return err
	}
	defer f.Close()
	u := s.beginUpdate()
	defer u.End()
	return fn(&NewFileSource{Tree: s.tree, Epoch: s.Revision().Epoch, ReadLine: u.lineReader(f), Now: s.lib.now(), update: u})
}

// LocateLines finds the locations of the lines that a new file copies.
func (src *NewFileSource) LocateLines(lines []session.FileLine) (OutputLines, error) {
	return src.update.locateCopiedLines(lines)
}

// OutputLines is lines of a new file, with the locations of those that are copied from a
// session.
type OutputLines struct {
	Lines     []session.FileLine
	Locations []scan.Location // of the lines without Text, in order
}

func (u update) locateCopiedLines(lines []session.FileLine) (OutputLines, error) {
	var copied []session.Pos
	for _, l := range lines {
		if l.Text == nil {
			copied = append(copied, l.Pos)
		}
	}
	spots, _, err := u.s.locateLines(copied)
	return OutputLines{lines, spots}, err
}

// EachOutputLine calls write with every line of the parts, without its newline. Lines of
// the session are copied as they are recorded and then edited.
func (s *Session) EachOutputLine(ctx context.Context, write func(line []byte) error, parts ...OutputLines) error {
	open := &openFiles{s: s}
	defer open.closeOpenFile()
	for _, part := range parts {
		next := 0
		for _, l := range part.Lines {
			if err := ctx.Err(); err != nil {
				return err
			}
			text := l.Text
			if text == nil {
				at := &part.Locations[next]
				next++
				var err error
				if text, err = open.readEditedLine(at, l.Edit); err != nil {
					return fmt.Errorf("entry %s: %w", at.ID, err)
				}
			}
			if err := write(text); err != nil {
				return err
			}
		}
	}
	return nil
}

// readEditedLine reads the line at a location and applies edit to it.
func (o *openFiles) readEditedLine(at *scan.Location, edit func([]byte) ([]byte, error)) ([]byte, error) {
	f, err := o.openNumberedFile(at.Span.File)
	if err != nil {
		return nil, err
	}
	line, err := at.ReadLine(f)
	if err != nil || edit == nil {
		return line, err
	}
	return edit(line)
}
