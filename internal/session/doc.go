// Package session is the domain: one neutral tree for the session files of
// coding agents, whatever their format. It holds values and pure functions
// over them and imports the standard library only: no files, no network, no
// clock.
//
// The words, used alike everywhere:
//
//   - Entry: one recorded line that is part of the conversation's history.
//   - Header: the line that describes the session; not an entry.
//   - Tree: all entries of a session with one parent edge each. Several roots
//     are allowed.
//   - Leaf: where the agent stands; for pi the last entry of the file.
//   - Viewed entry: where the reader stands. It lives in the URL, never in a
//     file. "Reset to leaf" sets viewed entry = leaf.
//   - Path: the entries from a root to some entry, root first.
//   - Branch: a child subtree of an entry that has several children. Its first
//     entry is the branch's head.
//   - Bookkeeping: entries that record settings and state, not conversation.
//   - Label: a name on a target entry; the last one set wins, an empty one
//     clears.
//   - Compaction: an entry that stands for older context by a summary. The tree
//     keeps everything.
//   - Context: what the model would be sent at a leaf.
//   - Outline: the visible rows of a tree in display order, for one View.
//   - Note: a decision that differs from the file, or a line that could not be
//     read, told to the reader.
//   - Format: one agent's file format, a struct of functions.
package session
