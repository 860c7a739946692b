// Package wave reads the sessions of Wave. A file contains one thread of messages, with
// compactions. Sub-agents have files of their own.
package wave

import (
	"strings"

	"sessiontree/internal/session"
)

// Format reads the sessions of Wave.
var Format = session.Format{
	Info: session.Info{Name: "wave", Title: "Wave", Glyph: "≈", Activity: activityRules},
	Read: session.Read{
		Sniff:          sniffSession,
		ScanLine:       scanLine,
		NewDecoder:     func() session.Decoder { return &decoder{format: "wave", seen: map[uint64]struct{}{}} },
		CompleteHeader: completeHeader,
		InferCwd:       sharedWorkDir,
		DecodeBody:     decodeBody,
		Fingerprint:    fingerprintLine,
	},
	Graph: &session.Graph{
		GatherFiles:   gatherSessionFiles,
		IsMember:      isMemberFile,
		FindOwners:    findOwners,
		Arrange:       arrangeSession,
		RetractsLines: true,
	},
	Write: &session.Write{
		Capabilities: fileCapabilities,
		Fork:         forkPath,
	},
	Export: &session.Export{
		Extract: extractSelection,
		Strip:   stripLine,
	},
}

// JSONFormat reads the sessions of older versions of Wave: each file is one JSON value that was
// rewritten with every message. They are found by their path only.
var JSONFormat = session.Format{
	Info: session.Info{Name: "wave-json", Title: "Wave, one JSON value", Glyph: "≈", Activity: activityRules},
	Read: session.Read{
		Sniff:        sniffJSONFile,
		ScanLine:     scanLine,
		SplitRecords: splitJSONFile,
		NewDecoder:   func() session.Decoder { return &decoder{format: "wave-json", seen: map[uint64]struct{}{}} },
		DecodeBody:   decodeBody,
		Fingerprint:  fingerprintLine,
	},
	Write: &session.Write{
		Capabilities: func(session.Header) session.Capabilities {
			return fileCapabilities(session.Header{Version: textVersion})
		},
	},
	Export: &session.Export{
		Strip: stripLine,
	},
}

// Versions of a file. The first recorded texts, as in the design of November 2025, the second
// records blocks.
const (
	textVersion  = 1
	blockVersion = 2
)

const (
	noBranchInFile     = "A Wave file holds one branch only. Branch to a new file instead."
	onePathOnly        = "a Wave file holds one branch, and this session has several."
	noRewrite          = "Wave reads one file version only. Older files are shown, but not migrated."
	textVersionRefused = "This file is from Wave's first version, which current Wave does not open."
)

// fileCapabilities returns what a file can hold. Only Wave writes to it, so labels and names are
// kept in a sidecar, and a branch becomes a new file.
func fileCapabilities(h session.Header) session.Capabilities {
	aside := session.Ability{InSidecar: true}
	c := session.Capabilities{
		Label: aside, Name: aside,
		Branch:  session.Ability{Reason: noBranchInFile},
		Copy:    session.Ability{Reason: noBranchInFile},
		Migrate: session.Ability{Reason: noRewrite},
	}
	if h.Version == textVersion {
		c.Fork.Reason = textVersionRefused
	}
	return c
}

// completeHeader completes a header from the path of a file. Wave encodes the session's id and its
// working directory in the path; after a rewind they are recorded nowhere else.
func completeHeader(h *session.Header, path string) {
	dir, base := splitPath(path)
	_, project := splitPath(dir)
	h.ID = strings.TrimPrefix(strings.TrimSuffix(base, ".jsonl"), agentPrefix)
	exact := h.Cwd != "" && !h.CwdGuessed
	if !exact {
		h.Cwd, h.CwdGuessed = decodePath(project), true
	}
	h.Resume = resumeCommand(h.ID, h.Cwd, exact)
}

// splitPath splits a path at the last slash.
func splitPath(path string) (dir, base string) {
	i := strings.LastIndexByte(path, '/')
	return path[:max(i, 0)], path[i+1:]
}

// resumeCommand returns the command that continues a session. Wave finds an id in any directory,
// but works in the directory it is started from. The command is "" if it cannot be written safely
// for a shell.
func resumeCommand(id, dir string, exact bool) string {
	switch {
	case !isSessionID(id):
		return ""
	case !exact:
		dir = ""
	}
	return session.ResumeCommand(dir, "wave --restore", id)
}

// isSessionID reports whether id is a session id of Wave: a UUID of any version in lower case.
func isSessionID(id string) bool {
	for i, c := range []byte(id) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (c == '-') || !dash && strings.IndexByte("0123456789abcdef", c) < 0 {
			return false
		}
	}
	return len(id) == 36
}
