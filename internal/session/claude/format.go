// Package claude reads the transcripts of Claude Code. It arranges the files of a project
// as one graph with a thread for each session, branch and agent.
package claude

import "sessiontree/internal/session"

// Format reads the sessions of Claude Code.
var Format = session.Format{
	Name:                  "claude",
	Title:                 "Claude Code",
	Glyph:                 "✳",
	Sniff:                 sniffTranscript,
	ScanLine:              scanLine,
	CompleteHeader:        setIDFromPath,
	NewDecoder:            func() session.Decoder { return &decoder{} },
	GatherFiles:           gatherFiles,
	CompleteHeaderFromDir: readTitleFile,
	IsMember:              isMemberFile,
	OwnerPath:             ownerPath,
	Related:               relatedHashes,
	Arrange:               arrangeGroup,
	DecodeBody:            decodeBody,
	DecodeSent:            decodeSentBlocks,
	FindRequest:           findRequest,
	Capabilities:          fileCapabilities,
	EncodeChange:          encodeChange,
	Fork:                  forkPath,
	Extract:               extractSelection,
	Strip:                 stripLine,
}
