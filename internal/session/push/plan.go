package push

import (
	"context"
	"errors"
	"io"
	"io/fs"

	"sessiontree/internal/session/safefile"
)

// PlannedFile is a file that would be pushed.
type PlannedFile struct {
	Path     string
	Project  string // name
	Size     int64  // without secrets
	Findings map[string]int
}

// Plan calls fn for each file that would be pushed, whatever the hub has of it. It sends
// nothing.
func (p *Pusher) Plan(ctx context.Context, fn func(PlannedFile) error) error {
	files, err := p.listFiles(ctx, p.catalog.Sessions())
	if err != nil {
		return err
	}
	for i := range files {
		planned, err := p.planFile(ctx, &files[i])
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = fn(planned)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// planFile reads a file as it would be pushed.
func (p *Pusher) planFile(ctx context.Context, f *localFile) (planned PlannedFile, err error) {
	f.format = p.sniff(f.path)
	t := &transfer{pusher: p, file: f, blobs: map[string]bool{}}
	if t.in, t.info, err = safefile.OpenRegular(f.path); err != nil {
		return planned, err
	}
	defer t.in.Close()
	src := t.newSource(0)
	planned = PlannedFile{Path: f.path, Project: f.project, Findings: src.findings}
	for {
		data, err := src.next()
		if errors.Is(err, io.EOF) {
			return planned, nil
		}
		if err := errors.Join(err, ctx.Err()); err != nil {
			return planned, err
		}
		planned.Size += int64(len(data))
	}
}
