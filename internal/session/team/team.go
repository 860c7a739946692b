// Package team stores who pushes sessions to a hub and who may see them: people, their
// devices, projects, the visibility of files, and a record of what people did.
//
// A hub stores the bytes of files in an archive.Store. The path of a file there begins with
// the id of the device that pushes it. What this package knows of a file is its owner and
// who else may read it.
package team

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"
)

// Errors of a Registry. Others are failures of the store.
var (
	ErrNotFound = errors.New("not found")
	ErrExists   = errors.New("exists already")
	// ErrCode is returned for a code that is unknown, used or expired.
	ErrCode = errors.New("the code is unknown, was used, or has expired")
	// ErrDeleted is returned for a file of a session that its owner deleted.
	ErrDeleted = errors.New("the session was deleted on the hub")
)

// Hash is the SHA-256 of a secret: a token or a code. Secrets are not stored.
type Hash [sha256.Size]byte

// HashSecret returns the Hash of a secret.
func HashSecret(secret string) Hash { return sha256.Sum256([]byte(secret)) }

// MarshalText implements encoding.TextMarshaler, in hexadecimal.
func (h Hash) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, h[:]), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (h *Hash) UnmarshalText(text []byte) error {
	if len(text) != hex.EncodedLen(len(h)) {
		return fmt.Errorf("%q is not a hash", text)
	}
	_, err := hex.Decode(h[:], text)
	return err
}

// Role is what a person may do. Each role includes those before it.
type Role string

// The roles. No role may see private sessions of others.
const (
	None   Role = "none"   // may not sign in
	Reader Role = "reader" // sees what is shared with the team
	Member Role = "member" // also pushes, shares and deletes own sessions
	Admin  Role = "admin"  // also invites people and sets roles and projects
)

// Person is a user of the hub.
type Person struct {
	ID      string
	Subject string // how the identity provider or proxy names the person; "" if invited by a code
	Name    string
	Email   string
	Role    Role
	Added   time.Time
}

// Device is a machine that pushes sessions for a person.
type Device struct {
	ID       string
	Person   string // id
	Name     string
	Token    Hash
	Projects []string // that it may push; none if empty
	Added    time.Time
	Seen     time.Time // of the last request, may be up to Precision older
	Revoked  time.Time // zero while it may push
	Hidden   int       // secrets that it removed before pushing
}

// CodeKind is what a one-time code is for.
type CodeKind string

// The kinds of codes.
const (
	DeviceCode CodeKind = "device" // adds a device for Person
	InviteCode CodeKind = "invite" // signs in as Person
)

// Code is a secret that can be used once.
type Code struct {
	Hash     Hash
	Kind     CodeKind
	Person   string   // id
	Projects []string // that the device may push
	Expires  time.Time
	Used     time.Time // zero until then
	Device   string    // id of the device that was added with it
}

// Login is a browser in which somebody signed in.
type Login struct {
	Token   Hash
	Person  string // id
	Expires time.Time
}

// Visibility is who may read a session.
type Visibility string

// The visibilities. The default of a file is that of its project.
const (
	Default Visibility = ""
	Private Visibility = "private" // its owner
	Team    Visibility = "team"    // everybody who can sign in
)

// Project is the rules for the sessions of a project. One that was never set is private and
// is kept forever.
type Project struct {
	Name       string
	Visibility Visibility // Private or Team
	RetainDays int        // 0 = forever
	SearchDays int        // after the last activity, for which a search reads all of a session; 0 = 90
}

// Precision is how much older Device.Seen and File.Pushed may be than what was stored last,
// so that not every request of a device needs a write to the disk.
const Precision = time.Minute

// Action is what somebody did.
type Action string

// The actions that are recorded.
const (
	Read         Action = "read"
	Search       Action = "search"
	Share        Action = "share"   // made visible to the team
	Unshare      Action = "unshare" // made private
	AddLabel     Action = "label"   // or replace it
	RemoveLabel  Action = "remove-label"
	Delete       Action = "delete"
	Purge        Action = "purge" // the bytes of a deleted session are gone
	AddDevice    Action = "add-device"
	RevokeDevice Action = "revoke-device"
	Refuse       Action = "refuse" // of a request of a device
	Invite       Action = "invite"
	SetRole      Action = "set-role"
	Rename       Action = "rename" // of a person
	SetProject   Action = "set-project"
)

// Event is an entry of the record of what people did.
type Event struct {
	Time    time.Time
	Person  string // id; "" for the hub itself
	Device  string // id, "" if none
	Action  Action
	Session string // path of the session file, "" if it is about none
	Title   string // of the session at that time, or the subject of another action
	Detail  string
}

// EventFilter selects events. Zero fields select all.
type EventFilter struct {
	Since  time.Time
	Viewer string // only events that this person may see: own ones, and those about own sessions and devices
	Limit  int    // the newest of them
}

// Registry stores people, devices, projects and files. Its methods may be called by several
// goroutines, and other processes may use the same data. What a method has stored survives a
// crash. Lists are in the order of addition, events newest first. Times are kept to the
// microsecond.
type Registry interface {
	AddPerson(ctx context.Context, p Person) error // ErrExists if the id or the subject is known
	FindPerson(ctx context.Context, id string) (Person, error)
	FindSubject(ctx context.Context, subject string) (Person, error)
	ListPeople(ctx context.Context) ([]Person, error)
	SetPerson(ctx context.Context, id, name string, r Role) error

	AddCode(ctx context.Context, c Code) error
	FindCode(ctx context.Context, code Hash) (Code, error) // also a used one
	// UseCode marks a code as used. Of several concurrent calls one succeeds. device is the
	// id of the device that is added with it, "" for another kind.
	UseCode(ctx context.Context, code Hash, kind CodeKind, device string, now time.Time) (Code, error)

	AddLogin(ctx context.Context, l Login) error
	FindLogin(ctx context.Context, token Hash, now time.Time) (Login, error) // ErrNotFound if it has expired
	DeleteLogin(ctx context.Context, token Hash) error

	AddDevice(ctx context.Context, d Device) error
	FindDevice(ctx context.Context, id string) (Device, error)
	FindDeviceByToken(ctx context.Context, token Hash) (Device, error) // also a revoked one
	ListDevices(ctx context.Context, person string) ([]Device, error)  // "" = of everybody
	RevokeDevice(ctx context.Context, id string, now time.Time) error
	RemoveDevice(ctx context.Context, id string) error // from lists; its files stay
	// NoteDevice records a request of a device and how many secrets it has hidden by then.
	NoteDevice(ctx context.Context, id string, now time.Time, hidden int) error

	FindProject(ctx context.Context, name string) (Project, error) // never ErrNotFound
	ListProjects(ctx context.Context) ([]Project, error)           // that were set or have files
	SetProject(ctx context.Context, p Project) error

	// PutFile adds a file or updates what is known of it. The Visibility of a file is that
	// of its session; the one of f is ignored. ErrDeleted if the session was deleted.
	PutFile(ctx context.Context, f File) error
	FindFile(ctx context.Context, path string) (File, error)
	// ListFiles calls fn for all files that a person may see (see Project and File), or for
	// all files if viewer is "".
	ListFiles(ctx context.Context, viewer string, fn func(File) error) error
	// Version returns a number that is another one after ListFiles, ListProjects or ListLabels
	// may list other things, for those who keep a list. It costs little. Another process may see a change a moment later.
	Version(ctx context.Context) (int64, error)
	// SetVisibility sets the visibility of a session: all of its files, also later ones.
	// ErrNotFound if it has no files.
	SetVisibility(ctx context.Context, session string, v Visibility) error
	// DeleteSession removes the files and the labels of a session and refuses them from now on. It returns
	// their paths, again if it is called again: the caller deletes their bytes, and may have
	// been killed. ErrNotFound if it has no files and was not deleted before.
	DeleteSession(ctx context.Context, session string) ([]string, error)

	// SetLabel adds a label or replaces the one of its entry. ErrNotFound if the session has no
	// files.
	SetLabel(ctx context.Context, l Label) error
	// ListLabels returns all labels, in the order in which their entries were first labeled.
	ListLabels(ctx context.Context) ([]Label, error)

	AddEvent(ctx context.Context, e Event) error
	ListEvents(ctx context.Context, f EventFilter) ([]Event, error)
}
