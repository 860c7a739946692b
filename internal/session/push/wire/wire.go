// Package wire defines the protocol between the devices that push sessions and a hub. It is
// described in docs/hub.md.
package wire

import (
	"encoding/hex"
	"fmt"

	"sessiontree/internal/session/archive"
)

// The addresses of a hub for devices. All but EnrollPath need the token of the device:
// "Authorization: Bearer TOKEN".
const (
	EnrollPath = "/hub/v1/devices" // POST Enroll -> Enrolled
	HeadsPath  = "/hub/v1/heads"   // POST Heads -> HeadsResult
	FilesPath  = "/hub/v1/files/"  // PUT FilesPath + FileID + "/" + generation + "?off=N"
)

// Headers of a segment. Its body is its bytes compressed with zstd, at most
// archive.MaxSegment of them before that.
const (
	BeforeHeader = "Chain-Before" // hexadecimal archive.Chain of the bytes before off
	AfterHeader  = "Chain-After"  // of the bytes with the segment
	TimeHeader   = "File-Time"    // modification time of the file, in nanoseconds since 1970
	EndHeader    = "File-End"     // of a response: the end of the generation, in bytes
)

// Enroll adds a device with a one-time code.
type Enroll struct {
	Code string `json:"code"`
	Name string `json:"name"` // of the device
}

// Enrolled is the result of Enroll.
type Enrolled struct {
	Device   string   `json:"device"` // id
	Token    string   `json:"token"`
	Person   string   `json:"person"` // name
	Projects []string `json:"projects"`
}

// Heads says what a device has. The hub remembers the descriptions of the files.
type Heads struct {
	Hidden int    `json:"hidden"` // secrets that the device has removed so far
	Files  []File `json:"files"`  // at most MaxFiles
}

// MaxFiles is how many files a request for heads has at most.
const MaxFiles = 1000

// File describes a file that a device pushes, after redaction.
type File struct {
	Path    string `json:"path"`    // absolute with slashes, without the id of the device
	Session string `json:"session"` // path of the session file that it belongs to, or its own
	Project string `json:"project"`
	Format  string `json:"format"` // name of a session format, "" for other files
	Rules   string `json:"rules"`  // version of the redaction rules, "none"
}

// HeadsResult says what the hub has of the files of a request, in the same order.
type HeadsResult struct {
	Files []FileHead `json:"files"`
}

// FileHead is the newest generation that the hub has of a file.
type FileHead struct {
	ID         string `json:"id"`         // for FilesPath
	Generation int    `json:"generation"` // 0 if there is none
	End        int64  `json:"end"`
	Chain      string `json:"chain"`             // hexadecimal
	Rules      string `json:"rules,omitempty"`   // of that generation
	Refused    string `json:"refused,omitempty"` // why the file is not accepted, "" if it is
}

// Conflict is the body of a response with status 409: what the hub has.
type Conflict struct {
	Error string   `json:"error"`
	Head  FileHead `json:"head"`
}

// Failure is the body of other responses that are no success.
type Failure struct {
	Error string `json:"error"`
}

// FormatChain returns a chain as headers and JSON have it.
func FormatChain(c archive.Chain) string { return hex.EncodeToString(c[:]) }

// ParseChain parses the result of FormatChain.
func ParseChain(s string) (c archive.Chain, err error) {
	if n, err := hex.Decode(c[:], []byte(s)); len(s) != 2*len(c) || err != nil || n != len(c) {
		return c, fmt.Errorf("%q is not a chain", s)
	}
	return c, nil
}
