// Package claude reads the transcripts of Claude Code: the files of a project
// as one graph, laid out as the lines of sessions, branches and agents.
package claude

import "sessiontree/internal/session"

// Format reads the sessions of Claude Code.
var Format = session.Format{
	Name:        "claude",
	Title:       "Claude Code",
	Glyph:       "✳",
	Sniff:       sniff,
	Scan:        scan,
	Named:       nameByFile,
	NewDecoder:  func() session.Decoder { return &decoder{} },
	Gather:      gather,
	NamedBeside: namedBeside,
	Part:        part,
	Home:        home,
	Kin:         kin,
	Arrange:     arranged,
	Body:        body,
	Sent:        sentBlocks,
	Request:     requestOf,
	Can:         can,
	Encode:      encode,
	Fork:        forkFile,
	Extract:     extract,
	Strip:       strip,
}
