package hub

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"sessiontree/internal/cli/statedir"
	"sessiontree/internal/session/archive/postgres"
	"sessiontree/internal/session/hub"
)

// urlName is the name of the file in the store with the URL of the hub, for explorer hub
// invite.
const urlName = "url"

// checkStore returns an error unless the flags name one store.
func (o *Options) checkStore() error {
	switch {
	case o.store == "" && o.db == "":
		return errors.New("hub needs --store DIR, or --db URL for a database")
	case o.store != "" && o.db != "":
		return errors.New("--store and --db cannot be combined")
	case o.blobs != "" && o.db == "":
		return errors.New("--blobs goes with --db")
	}
	return nil
}

func (o *Options) newLogger(out io.Writer) *slog.Logger {
	level := slog.LevelWarn
	if o.debug {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: level}))
}

// openStore opens the store of the flags. The caller calls closeStore in the end.
func (o *Options) openStore(ctx context.Context, log *slog.Logger) (h *hub.Hub, closeStore func(), err error) {
	if o.db != "" {
		return o.openDatabase(ctx, log)
	}
	h, err = hub.New(hub.Config{Dir: o.store})
	if err != nil {
		return nil, nil, err
	}
	return h, func() { closeHub(h, log) }, nil
}

// closeHub closes a hub, and logs what fails.
func closeHub(h *hub.Hub, log *slog.Logger) {
	if err := h.Close(); err != nil {
		log.Warn("closing the hub", "err", err)
	}
}

// makeDatabaseCacheDir makes a directory for what this computer caches of a hub in a database. It
// returns "" if there can be none, as for a service without a home.
func (o *Options) makeDatabaseCacheDir(log *slog.Logger) string {
	dir := statedir.CacheDir()
	if u, err := url.Parse(o.db); dir != "" && err == nil {
		sum := sha256.Sum256([]byte(u.Host + u.Path)) // without the password
		dir = filepath.Join(dir, "hub-"+hex.EncodeToString(sum[:8]))
	}
	if dir != "" && os.MkdirAll(dir, 0o700) == nil {
		return dir
	}
	log.Warn("No cache directory can be made, so that texts are cached again after each start. Set XDG_CACHE_HOME.")
	return ""
}

// openDatabase opens a store in PostgreSQL, and S3 if there is a bucket.
func (o *Options) openDatabase(ctx context.Context, log *slog.Logger) (h *hub.Hub, closeStore func(), err error) {
	config := postgres.Config{URL: o.db, Log: log}
	if o.blobs != "" {
		if config.Blobs, err = postgres.ParseBlobs(o.blobs, os.Getenv); err != nil {
			return nil, nil, err
		}
	}
	dir, err := os.MkdirTemp("", "explorer-hub-") // stays empty: the files of people seem to be in it
	if err != nil {
		return nil, nil, err
	}
	db, err := postgres.Open(ctx, config)
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	var opened atomic.Pointer[hub.Hub]
	closeStore = func() {
		if h := opened.Load(); h != nil {
			closeHub(h, log)
		}
		if err := errors.Join(db.Close(), os.RemoveAll(dir)); err != nil {
			log.Warn("closing the store", "err", err)
		}
	}
	files, err := db.Listing(ctx, func(paths []string) {
		if h := opened.Load(); h != nil { // before that, nobody has read anything
			h.FilesChanged(paths)
		}
	})
	if err == nil {
		h, err = hub.New(hub.Config{Dir: dir, CacheDir: o.makeDatabaseCacheDir(log), Archive: files, Registry: db.Registry(), HasDeletedBytes: db.HasDeletedBytes})
	}
	if err != nil {
		closeStore()
		return nil, nil, err
	}
	opened.Store(h)
	return h, closeStore, nil
}

// writeURL remembers the URL for explorer hub invite.
func (o *Options) writeURL(address string) error {
	if o.store == "" {
		return nil
	}
	return os.WriteFile(filepath.Join(o.store, urlName), []byte(address+"\n"), 0o600)
}

// readURL returns the URL of the hub.
func (o *Options) readURL() (string, error) {
	switch {
	case o.url != "":
		return strings.TrimSuffix(o.url, "/"), nil
	case o.store == "":
		return "", errors.New("invite needs --url with --db")
	}
	text, err := os.ReadFile(filepath.Join(o.store, urlName))
	if err != nil {
		return "", fmt.Errorf("there is no hub in %s; start it first with explorer hub --store %s", o.store, o.store)
	}
	return strings.TrimSpace(string(text)), nil
}
