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
		if s.devices.has(dev.ID) || s.tokens[dev.Token] != "" {
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

// changeDevice stores what set makes of a device.
func (d *Dir) changeDevice(ctx context.Context, id string, set func(*Device)) error {
	return d.change(ctx, func(s *state) (*record, error) {
		dev, err := s.devices.find(id)
		set(&dev)
		return &record{Device: &dev}, err
	})
}

// RevokeDevice implements Registry.
func (d *Dir) RevokeDevice(ctx context.Context, id string, now time.Time) error {
	return d.changeDevice(ctx, id, func(dev *Device) {
		if dev.Revoked.IsZero() {
			dev.Revoked = now
		}
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
	return d.changeDevice(ctx, id, func(dev *Device) { dev.Seen, dev.Hidden = now, hidden })
}

// PutFile implements Registry.
func (d *Dir) PutFile(ctx context.Context, f File) error {
	return d.change(ctx, func(s *state) (*record, error) {
		if s.rules[f.Session].Deleted {
			return nil, ErrDeleted
		}
		f.Visibility = Default
		return &record{File: &f}, nil
	})
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
		if s.rules[session].Deleted {
			return nil, nil
		}
		if len(s.sessions[session]) == 0 {
			return nil, ErrNotFound
		}
		paths = slices.Sorted(maps.Keys(s.sessions[session]))
		return &record{Session: &sessionRule{Path: session, Deleted: true}}, nil
	})
	if err != nil {
		return nil, err
	}
	return paths, nil
}
