package pi

import (
	"strings"

	"sessiontree/internal/session"
)

// Format reads the sessions of pi.
var Format = session.Format{
	Name:        "pi",
	Title:       "pi",
	Glyph:       "π",
	Sniff:       func(head []byte) bool { return sniff(head) == "pi" },
	Scan:        scan,
	NewDecoder:  func() session.Decoder { return &decoder{dialect: &piDialect} },
	Body:        body,
	Can:         piDialect.can,
	Encode:      piDialect.encode,
	Fork:        piDialect.fork,
	Extract:     piDialect.extract,
	Strip:       strip,
	NewMigrator: piDialect.newMigrator,
	Touched:     touched,
	Print:       fingerprint,
}

// OMP reads the sessions of oh-my-pi.
var OMP = session.Format{
	Name:        "omp",
	Title:       "oh-my-pi",
	Sniff:       func(head []byte) bool { return sniff(head) == "omp" },
	Scan:        scan,
	NewDecoder:  func() session.Decoder { return &decoder{dialect: &ompDialect} },
	Gather:      gather,
	Home:        homeFile,
	Arrange:     arranged,
	Recorded:    true,
	Body:        body,
	BlobDir:     "blobs",
	Blobs:       blobs,
	Inline:      inline,
	HeadBytes:   slotLen,
	Can:         ompDialect.can,
	Encode:      ompDialect.encode,
	Fork:        ompDialect.fork,
	Extract:     ompDialect.extract,
	Strip:       strip,
	NewMigrator: ompDialect.newMigrator,
	Touched:     touched,
	Print:       fingerprint,
	LockFile:    func(base string) string { return "." + base + ".lock" },
	Holds:       true,
}

// slotLen is the length of oh-my-pi's title slot, which it overwrites in place.
const slotLen = 256

// dialect is where pi and oh-my-pi read and write the same lines differently.
type dialect struct {
	open    func(*decoder)                 // a valid header was read
	amend   func(*decoder, *session.Entry) // what an entry says about the session, and the dialect about the entry
	titled  bool                           // no entry does: the name stands at the start of the file
	program string                         // key that says that a program wrote a summary
}

var piDialect = dialect{
	program: "fromHook",
	open: func(d *decoder) {
		d.header.Format, d.header.Name = "pi", ""
		d.header.Resume = session.ResumeCommand(d.header.Cwd, "pi --session", d.header.ID)
	},
	// The last session_info counts, and an empty one clears the name: pi 1.5.
	amend: func(d *decoder, e *session.Entry) {
		if e.Kind == session.KindName {
			d.header.Name = e.Name
		}
	},
}

var ompDialect = dialect{
	titled:  true,
	program: "fromExtension",
	open: func(d *decoder) {
		d.header.Format = "omp"
		d.header.Resume = session.ResumeCommand(d.header.Cwd, "omp --resume", d.header.ID)
		if d.header.Slot = d.slotted; d.slot != nil {
			d.header.Name = *d.slot
		}
		if d.slot != nil || !nanoid(d.header.ID) { // version 18
			d.header.Rules = session.Rules{PinnedModel: true, SkipFailed: true, Resumed: "interrupted-thinking"}
		}
	},
	amend: func(d *decoder, e *session.Entry) {
		if e.Kind == session.KindCustomMessage && d.header.Rules.SkipFailed && unsent[e.Name] {
			e.Flags |= session.FlagNoContext
		}
	},
}

// unsent are types of custom messages that version 18 of oh-my-pi sends while a mode
// lasts and leaves out when it opens the file again.
var unsent = map[string]bool{"prewalk-plan": true, "vibe-mode-context": true}

// nanoid reports whether id is one of oh-my-pi before version 18.
func nanoid(id string) bool {
	return len(id) == 21 && strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == ""
}
