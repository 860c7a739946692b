// Package push sends the sessions of chosen projects to a hub, without the secrets in them. The
// session files are the queue: what the hub lacks is read from them again, so that nothing is
// stored on the way and nothing is lost while the hub is away.
package push

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"sessiontree/internal/session/push/wire"
	"sessiontree/internal/session/safefile"
)

// accountName is the name of the file in the state directory.
const accountName = "push.json"

// ErrNotEnrolled is returned if this computer was not added to a hub.
var ErrNotEnrolled = errors.New("this computer is not enrolled at a hub; get a code on the hub's page \"Add a device\"")

// Account is the access of this computer to a hub.
type Account struct {
	Hub      string   `json:"hub"` // URL
	Device   string   `json:"device"`
	Token    string   `json:"token"`
	Person   string   `json:"person"`   // name of the owner
	Projects []string `json:"projects"` // that the hub accepts
}

// CheckURL returns an error for a URL that is no hub or would send sessions unencrypted to
// another computer.
func CheckURL(hub string) error {
	u, err := url.Parse(hub)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return fmt.Errorf("%q is not the URL of a hub, like https://hub.example", hub)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("%q: the URL of a hub has neither a user nor a query", hub)
	case u.Scheme == "http" && u.Hostname() != "localhost" && u.Hostname() != "127.0.0.1" && u.Hostname() != "::1":
		return fmt.Errorf("%q would send sessions unencrypted: use https", hub)
	}
	return nil
}

// Enroll adds this computer to a hub with a one-time code.
func Enroll(ctx context.Context, hub, code, name string) (Account, error) {
	if err := CheckURL(hub); err != nil {
		return Account{}, err
	}
	var e wire.Enrolled
	c := newClient(Account{Hub: hub})
	if err := c.postJSON(ctx, wire.EnrollPath, wire.Enroll{Code: code, Name: name}, &e); err != nil {
		return Account{}, err
	}
	return Account{Hub: hub, Device: e.Device, Token: e.Token, Person: e.Person, Projects: e.Projects}, nil
}

// Save stores the account in a state directory, readable for its user alone.
func (a Account) Save(stateDir string) error {
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(stateDir, 0o700); err != nil {
		return err
	}
	return safefile.ReplaceFile(filepath.Join(stateDir, accountName), append(text, '\n'))
}

// LoadAccount returns the account in a state directory. The error is ErrNotEnrolled if there
// is none.
func LoadAccount(stateDir string) (a Account, err error) {
	path := filepath.Join(stateDir, accountName)
	text, err := safefile.ReadRegular(path, 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return a, ErrNotEnrolled
	}
	if err != nil {
		return a, err
	}
	if err := json.Unmarshal(text, &a); err != nil {
		return a, fmt.Errorf("%s is damaged; delete it and enroll again: %w", path, err)
	}
	return a, CheckURL(a.Hub)
}
