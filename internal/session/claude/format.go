// Package claude reads the transcripts of Claude Code. It arranges the sessions of a project
// that continue each other, with their sub-agents and side files, as one graph with a thread
// for each session, branch and agent.
package claude

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/claude/sidefiles"
	"sessiontree/internal/session/claude/turns"
)

// Format reads the sessions of Claude Code.
var Format = session.Format{
	Info: session.Info{Name: "claude", Title: "Claude Code", Glyph: "✳", Activity: turns.Rules, CleanUp: &sidefiles.CleanUp},
	Read: session.Read{
		Sniff:                 sniffTranscript,
		ScanLine:              scanLine,
		NewDecoder:            func() session.Decoder { return &decoder{} },
		CompleteHeader:        setIDFromPath,
		CompleteHeaderFromDir: readTitleFile,
		DecodeBody:            decodeBody,
		DecodeSent:            decodeSentBlocks,
		FindRequest:           findRequest,
	},
	Graph: &session.Graph{
		GatherFiles: gatherFiles,
		IsMember:    isMemberFile,
		OwnerPath:   ownerPath,
		Related:     relatedHashes,
		Arrange:     arrangeGroup,
	},
	Write: &session.Write{
		Capabilities: fileCapabilities,
		EncodeChange: encodeChange,
		Fork:         forkPath,
	},
	Export: &session.Export{
		Extract: extractSelection,
		Strip:   stripLine,
	},
}
