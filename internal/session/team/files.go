package team

import (
	"context"
	"maps"
	"slices"
	"time"
)

// AddDevice adds a device. The error is ErrExists if its id or token is known.
func (r *Registry) AddDevice(ctx context.Context, dev Device) error {
	return r.change(ctx, func(s *state) (*record, error) {
		if s.devices.has(dev.ID) || s.tokens[dev.Token] != "" {
			return nil, ErrExists
		}
		dev.Projects = slices.Clone(dev.Projects)
		return &record{Device: &dev}, nil
	})
}

// FindDevice returns the device with an id.
func (r *Registry) FindDevice(id string) (dev Device, err error) {
	err = r.read(func(s *state) error { dev, err = s.devices.find(id); return err })
	return dev, err
}

// FindDeviceByToken returns the device with a token, also a revoked one.
func (r *Registry) FindDeviceByToken(token Hash) (dev Device, err error) {
	err = r.read(func(s *state) error { dev, err = s.devices.find(s.tokens[token]); return err })
	return dev, err
}

// ListDevices returns the devices of a person, those of everybody if person is "".
func (r *Registry) ListDevices(person string) (devices []Device, err error) {
	err = r.read(func(s *state) error {
		devices = s.devices.list(func(dev Device) bool { return person == "" || dev.Person == person })
		return nil
	})
	return devices, err
}

// changeDevice stores what set makes of a device.
func (r *Registry) changeDevice(ctx context.Context, id string, set func(*Device)) error {
	return r.change(ctx, func(s *state) (*record, error) {
		dev, err := s.devices.find(id)
		if err != nil {
			return nil, err
		}
		set(&dev)
		return &record{Device: &dev}, nil
	})
}

// RevokeDevice refuses a device from now on. Its sessions stay.
func (r *Registry) RevokeDevice(ctx context.Context, id string, now time.Time) error {
	return r.changeDevice(ctx, id, func(dev *Device) {
		if dev.Revoked.IsZero() {
			dev.Revoked = now
		}
	})
}

// NoteDevice records a request of a device, and how many secrets it has removed by then.
func (r *Registry) NoteDevice(ctx context.Context, id string, now time.Time, hidden int) error {
	return r.changeDevice(ctx, id, func(dev *Device) { dev.Seen, dev.Hidden = now, hidden })
}

// PutFile adds a file or updates what is known of it. The visibility of a file is that of its
// session; the one of f is ignored. The error is ErrDeleted if the session was deleted.
func (r *Registry) PutFile(ctx context.Context, f File) error {
	return r.change(ctx, func(s *state) (*record, error) {
		if s.rules[f.Session].Deleted {
			return nil, ErrDeleted
		}
		f.Visibility = Default
		if old, err := s.files.find(f.Path); err == nil && old == f {
			return nil, nil
		}
		return &record{File: &f}, nil
	})
}

// FindFile returns the file at a path of the archive.
func (r *Registry) FindFile(path string) (f File, err error) {
	err = r.read(func(s *state) error {
		f, err = s.files.find(path)
		f = s.withVisibility(f)
		return err
	})
	return f, err
}

// ListFiles returns the files that a person may see, all files if viewer is "".
func (r *Registry) ListFiles(viewer string) (files []File, err error) {
	err = r.read(func(s *state) error { files = s.visibleFiles(viewer); return nil })
	return files, err
}

// Version returns a number that changes when ListFiles may return something else.
func (r *Registry) Version() (version int, err error) {
	err = r.read(func(s *state) error { version = s.version; return nil })
	return version, err
}

// SetVisibility sets who may read a session: all of its files, also later ones. The error is
// ErrNotFound if it has no files.
func (r *Registry) SetVisibility(ctx context.Context, session string, v Visibility) error {
	return r.change(ctx, func(s *state) (*record, error) {
		if len(s.sessions[session]) == 0 {
			return nil, ErrNotFound
		}
		return &record{Session: &sessionRule{Path: session, Visibility: v}}, nil
	})
}

// DeleteSession removes the files of a session and refuses them from now on. It returns their
// paths; the caller deletes their bytes. The error is ErrNotFound if it has no files and was
// not deleted before.
func (r *Registry) DeleteSession(ctx context.Context, session string) (paths []string, err error) {
	err = r.change(ctx, func(s *state) (*record, error) {
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
