// Package pi reads the session files of pi and oh-my-pi, which share one format. It
// supports pi 0.58 to 1.5 (versions 1 to 3 and the uuid/parentUuid draft) and oh-my-pi 5.7
// to 18. Each line is scanned on its own into a session.Record. A decoder then turns the
// records of a file, in order, into entries. Old versions are migrated in memory only.
package pi

import (
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/pi/omp"
)

// Format reads the sessions of pi.
var Format = session.Format{
	Info: session.Info{Name: "pi", Title: "pi", Glyph: "π", Activity: activityRules},
	Read: session.Read{
		Sniff:          func(head []byte) bool { return sniffAgent(head) == "pi" },
		ScanLine:       scanLine,
		ScanListedLine: scanListedLine,
		NewDecoder:     func() session.Decoder { return &decoder{dialect: &piDialect} },
		DecodeBody:     decodeBody,
		Fingerprint:    fingerprintLine,
	},
	Write: &session.Write{
		Capabilities: piDialect.capabilities,
		EncodeChange: piDialect.encodeChange,
		Fork:         piDialect.forkPath,
		NewMigrator:  piDialect.newMigrator,
		TouchedFiles: touchedFiles,
	},
	Export: &session.Export{
		Extract: piDialect.extractSelection,
		Strip:   stripLine,
	},
}

// OMP reads the sessions of oh-my-pi.
var OMP = session.Format{
	Info: session.Info{Name: "omp", Title: "oh-my-pi", Activity: omp.ActivityRules},
	Read: session.Read{
		Sniff:          func(head []byte) bool { return sniffAgent(head) == "omp" },
		ScanLine:       scanLine,
		ScanListedLine: scanListedLine,
		NewDecoder:     func() session.Decoder { return &decoder{dialect: &ompDialect} },
		TitleSlotSize:  slotLen,
		DecodeBody:     decodeBody,
		Fingerprint:    fingerprintLine,
	},
	Graph: &session.Graph{
		GatherFiles:          gatherAgentFiles,
		OwnerPath:            ownerPath,
		Arrange:              arrangeAgents,
		KeepsRecordedParents: true,
	},
	Write: &session.Write{
		Capabilities:  ompDialect.capabilities,
		EncodeChange:  ompDialect.encodeChange,
		Fork:          ompDialect.forkPath,
		NewMigrator:   ompDialect.newMigrator,
		TouchedFiles:  touchedFiles,
		LockFileName:  func(base string) string { return "." + base + ".lock" },
		KeepsFileOpen: true,
	},
	Export: &session.Export{
		Extract: ompDialect.extractSelection,
		Strip:   stripLine,
	},
	Blobs: &session.Blobs{
		Dir:    "blobs",
		Names:  blobNames,
		Inline: inlineBlobs,
	},
}

// slotLen is the length of oh-my-pi's title slot, which it overwrites in place.
const slotLen = 256

// dialect holds the differences between pi and oh-my-pi in reading and writing lines.
type dialect struct {
	onHeader      func(*decoder)                 // called after a valid header
	onEntry       func(*decoder, *session.Entry) // called for each entry; updates the header and the entry
	titleInHeader bool                           // the title is at the start of the file and not in an entry
	programKey    string                         // key of summaries that a program wrote
}

var piDialect = dialect{
	programKey: "fromHook",
	onHeader: func(d *decoder) {
		d.header.Format, d.header.Name = "pi", ""
		d.header.Resume = session.ResumeCommand(d.header.Cwd, "pi --session", d.header.ID)
	},
	// The last session_info counts, and an empty one clears the name, as in pi 1.5.
	onEntry: func(d *decoder, e *session.Entry) {
		if e.Kind == session.KindName {
			d.header.Name = e.SessionName()
		}
	},
}

var ompDialect = dialect{
	titleInHeader: true,
	programKey:    "fromExtension",
	onHeader: func(d *decoder) {
		d.header.Format = "omp"
		d.header.Resume = session.ResumeCommand(d.header.Cwd, "omp --resume", d.header.ID)
		if d.header.HasTitleSlot = d.slotWritable; d.slot != nil {
			d.header.Name = *d.slot
		}
		if d.slot != nil || !isNanoID(d.header.ID) { // version 18
			d.header.Rules = session.Rules{PinnedModel: true, SkipFailed: true, ResumingType: "interrupted-thinking"}
		}
	},
	onEntry: func(d *decoder, e *session.Entry) {
		if e.Kind == session.KindCustomMessage && d.header.Rules.SkipFailed && unsent[e.CustomType()] {
			e.Flags |= session.FlagNoContext
		}
	},
}

// unsent are types of custom messages that oh-my-pi 18 sends while a mode is active and omits when
// it opens the file again.
var unsent = map[string]bool{"prewalk-plan": true, "vibe-mode-context": true}

// isNanoID reports whether id has the form that oh-my-pi used before version 18.
func isNanoID(id string) bool {
	return len(id) == 21 && strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == ""
}
