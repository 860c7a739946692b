package team

import (
	"context"
	"maps"
	"slices"
	"time"
)

// AddDevice implements Registry.
func (d *Dir) AddDevice(ctx context.Context, dev Device) error {
	return d.change(ctx, func(s *state) (*record, error) {
		if s.deviceOwners[dev.ID] != "" || s.tokens[dev.Token] != "" {
			return nil, ErrExists
		}
		dev.Projects = slices.Clone(dev.Projects)
		return &record{Device: &dev}, nil
	})
}

// FindDevice implements Registry.
func (d *Dir) FindDevice(_ context.Context, id string) (dev Device, err error) {
	err = d.read(func(s *state) error { dev, err = s.devices.find(id); return err })
	return dev, err
}

// FindDeviceByToken implements Registry.
func (d *Dir) FindDeviceByToken(_ context.Context, token Hash) (dev Device, err error) {
	err = d.read(func(s *state) error { dev, err = s.devices.find(s.tokens[token]); return err })
	return dev, err
}

// ListDevices implements Registry.
func (d *Dir) ListDevices(_ context.Context, person string) (devices []Device, err error) {
	err = d.read(func(s *state) error {
		devices = s.devices.list(func(dev Device) bool { return person == "" || dev.Person == person })
		return nil
	})
	return devices, err
}

// RevokeDevice implements Registry.
func (d *Dir) RevokeDevice(ctx context.Context, id string, now time.Time) error {
	return d.change(ctx, func(s *state) (*record, error) {
		dev, err := s.devices.find(id)
		if err != nil || !dev.Revoked.IsZero() {
			return nil, err
		}
		dev.Revoked = now
		return &record{Device: &dev}, nil
	})
}

// RemoveDevice implements Registry.
func (d *Dir) RemoveDevice(ctx context.Context, id string) error {
	return d.change(ctx, func(s *state) (*record, error) {
		_, err := s.devices.find(id)
		return &record{RemovedDevice: id}, err
	})
}

// NoteDevice implements Registry.
func (d *Dir) NoteDevice(ctx context.Context, id string, now time.Time, hidden int) error {
	return d.change(ctx, func(s *state) (*record, error) {
		dev, err := s.devices.find(id)
		if err != nil || dev.Hidden == hidden && IsRecent(dev.Seen, now) {
			return nil, err
		}
		dev.Seen, dev.Hidden = now, hidden
		return &record{Device: &dev}, nil
	})
}

// PutFile implements Registry.
func (d *Dir) PutFile(ctx context.Context, f File) error {
	if err := f.Check(); err != nil {
		return err
	}
	return d.change(ctx, func(s *state) (*record, error) {
		if s.rules[f.Session].Deleted {
			return nil, ErrDeleted
		}
		f.Visibility = Default
		if old, err := s.files.find(f.Path); err == nil && IsRecent(old.Pushed, f.Pushed) {
			if old.Pushed = f.Pushed; old == f {
				return nil, nil
			}
		}
		return &record{File: &f}, nil
	})
}

// IsRecent reports whether a stored time is near enough to a new one.
func IsRecent(stored, now time.Time) bool {
	return !now.Before(stored) && now.Sub(stored) < Precision
}

// FindFile implements Registry.
func (d *Dir) FindFile(_ context.Context, path string) (f File, err error) {
	err = d.read(func(s *state) error {
		f, err = s.files.find(path)
		f = s.withVisibility(f)
		return err
	})
	return f, err
}

// ListFiles implements Registry.
func (d *Dir) ListFiles(ctx context.Context, viewer string, fn func(File) error) error {
	var files []File
	if err := d.read(func(s *state) error { files = s.visibleFiles(viewer); return nil }); err != nil {
		return err
	}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := fn(f); err != nil {
			return err
		}
	}
	return nil
}

// Version implements Registry.
func (d *Dir) Version(context.Context) (version int64, err error) {
	err = d.read(func(s *state) error { version = s.version; return nil })
	return version, err
}

// SetVisibility implements Registry.
func (d *Dir) SetVisibility(ctx context.Context, session string, v Visibility) error {
	return d.change(ctx, func(s *state) (*record, error) {
		if len(s.sessions[session]) == 0 {
			return nil, ErrNotFound
		}
		return &record{Session: &sessionRule{Path: session, Visibility: v}}, nil
	})
}

// DeleteSession implements Registry.
func (d *Dir) DeleteSession(ctx context.Context, session string) (paths []string, err error) {
	err = d.change(ctx, func(s *state) (*record, error) {
		if rule := s.rules[session]; rule.Deleted {
			paths = slices.DeleteFunc(slices.Clone(rule.Files), s.files.has) // one may be of another session now
			return nil, nil
		}
		if len(s.sessions[session]) == 0 {
			return nil, ErrNotFound
		}
		paths = slices.Sorted(maps.Keys(s.sessions[session]))
		return &record{Session: &sessionRule{Path: session, Deleted: true, Person: s.sessionOwners[session], Files: paths}}, nil
	})
	if err != nil {
		return nil, err
	}
	return paths, nil
}
