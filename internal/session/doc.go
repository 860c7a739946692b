// Package session is the domain model: one neutral tree for the session files of coding
// agents, whatever their format. It contains values and pure functions over them and
// imports only the standard library: no files, no network, no clock.
//
// The terms:
//
//   - Entry: one recorded line that is part of the conversation's history.
//   - Header: the line that describes the session; not an entry.
//   - Tree: all entries of a session with one parent edge each. It may have several
//     roots.
//   - Leaf: the entry from which the agent continues; for pi the last entry of the
//     file.
//   - Viewed entry: the entry that a viewer has selected. It is in the URL, never in
//     a file. "Reset to leaf" sets viewed entry = leaf.
//   - Path: the entries from a root to some entry, root first.
//   - Branch: a child subtree of an entry that has several children. Its first entry
//     is the branch's head.
//   - Thread: one line of development: the trunk of a session, a branch of it, or an
//     agent.
//   - Bookkeeping: entries that record settings and state, not conversation.
//   - Label: a name on a target entry. The last one applies; an empty one clears it.
//   - Annotations: labels and a name of a session in a sidecar instead of its file.
//   - Compaction: an entry with a summary of older context. The tree keeps
//     everything.
//   - Context: what the model would be sent at a leaf.
//   - Outline: the visible rows of a tree in display order, see package outline.
//   - Note: a message for viewers about a decision that differs from the file, or
//     about a line that could not be read.
//   - Format: one agent's file format, functions in groups.
package session
