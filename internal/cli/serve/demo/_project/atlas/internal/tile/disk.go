package tile

import (
	"os"
	"path/filepath"
)

// store writes a tile to the disk. No reader sees a part of it.
func (d *disk) store(id ID, b []byte) error {
	tmp, err := os.CreateTemp(d.dir, "tile-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	if _, err := tmp.Write(b); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), filepath.Join(d.dir, id.String()))
}
