package keep

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"sessiontree/internal/session/safefile"
)

// Names of the files in the state directory.
const (
	settingsName = "keep.json"
	reportName   = "keep-report.json"
)

// DefaultQuota is how many bytes copies may take unless that is set.
const DefaultQuota = 10_000_000_000

// Settings are what people choose.
type Settings struct {
	On     bool  `json:"on"`
	Paused bool  `json:"paused,omitempty"`
	Quota  int64 `json:"quota,omitempty"` // bytes; 0 = DefaultQuota
	Asked  bool  `json:"asked,omitempty"` // people need not be asked whether to keep copies
}

// IsActive reports whether files are copied.
func (s Settings) IsActive() bool { return s.On && !s.Paused }

// Limit returns how many bytes copies may take.
func (s Settings) Limit() int64 {
	if s.Quota > 0 {
		return s.Quota
	}
	return DefaultQuota
}

// settingsFile is the settings in the state directory, which other processes may change.
type settingsFile struct {
	path string

	mu   sync.Mutex
	info fs.FileInfo // of the file that was read, nil if none
	read Settings
}

// load returns the settings. Without a file they are zero.
func (f *settingsFile) load() (Settings, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.loadLocked()
}

func (f *settingsFile) loadLocked() (Settings, error) {
	info, err := os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		f.info, f.read = nil, Settings{}
		return f.read, nil
	}
	if err == nil && f.info != nil && os.SameFile(info, f.info) && info.ModTime().Equal(f.info.ModTime()) && info.Size() == f.info.Size() {
		return f.read, nil
	}
	text, err := safefile.ReadRegular(f.path, 1<<16)
	if err != nil {
		return f.read, fmt.Errorf("settings of copies: %w", err)
	}
	var s Settings
	if err := json.Unmarshal(text, &s); err != nil {
		return f.read, fmt.Errorf("%s: it is damaged: delete it and run explorer keep on again: %w", f.path, err)
	}
	f.info, f.read = info, s
	return s, nil
}

// change changes the settings.
func (f *settingsFile) change(change func(*Settings)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, err := f.loadLocked()
	if err != nil {
		return err
	}
	change(&s)
	if err := writeJSON(f.path, s); err != nil {
		return fmt.Errorf("settings of copies: %w", err)
	}
	f.info = nil // it is read again
	return nil
}

// writeJSON replaces a file in the state directory by a JSON value.
func writeJSON(path string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return safefile.ReplaceFile(path, append(text, '\n'))
}

// Settings returns the current settings.
func (k *Keeper) Settings() (Settings, error) { return k.settings.load() }

// changeSettings changes the settings and wakes the goroutine of Run.
func (k *Keeper) changeSettings(change func(*Settings)) error {
	err := k.settings.change(change)
	k.notifyPending()
	k.onChange()
	return err
}

// SetOn switches copies on or off. Copies that exist stay. It also ends a pause.
func (k *Keeper) SetOn(on bool) error {
	return k.changeSettings(func(s *Settings) { s.On, s.Paused, s.Asked = on, false, true })
}

// SetPaused pauses or resumes.
func (k *Keeper) SetPaused(paused bool) error {
	return k.changeSettings(func(s *Settings) { s.Paused = paused })
}

// SetQuota sets how many bytes copies may take; 0 = DefaultQuota.
func (k *Keeper) SetQuota(bytes int64) error {
	return k.changeSettings(func(s *Settings) { s.Quota = bytes })
}

// SetAsked stores that people were asked whether to keep copies.
func (k *Keeper) SetAsked() error { return k.changeSettings(func(s *Settings) { s.Asked = true }) }
