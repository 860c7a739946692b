package catalog

import (
	"strings"
	"time"
	"unique"

	"sessiontree/internal/session"
	"sessiontree/internal/session/activity"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/session/spend"
	"sessiontree/internal/session/store"
)

// maxPromptRunes is how many runes of the first prompt a list shows.
const maxPromptRunes = 200

// newListedSession returns the item of a session that was read in full.
func (c *Catalog) newListedSession(f roots.File, s *store.ReadSummary) *listedSession {
	t, h := s.Tree, s.Tree.Header()
	name, labels := t.RecordedNameAndLabels()
	it := &listedSession{Checkpoint: s.Checkpoint, State: newSummaryState(t, labels), Spend: spend.CollectTree(t)}
	sum := &it.Summary
	*sum = Summary{
		Key: c.lib.DeriveKey(s.Format.Name, h.ID, f.Path), Format: s.Format.Name, Path: f.Path, Root: f.Root,
		ID: h.ID, Cwd: h.Cwd, Name: name, Parent: h.Parent, FirstMessage: truncatePrompt(s.Prompt),
		Entries: t.EntryCount(), Agents: t.Subtrees().AgentCount(), Labels: len(labels), Model: t.ContextState(t.Leaf()).Model, Notes: len(t.Notes()),
	}
	sum.LabelTexts = it.State.labelTexts()
	if leaf := t.Leaf(); leaf != session.NoPos {
		sum.Leaf = t.At(leaf).ID
	}
	if h.CwdGuessed || h.CwdInferred {
		it.CwdGuessed, sum.Cwd = true, cwdFromPath(s.Format, f.Path)
	}
	track := activity.New(t, &s.Format.Activity)
	sum.Orphaned, sum.Activity = s.Orphaned, &track
	it.State.IsArranged, it.State.ArrangesAlways = s.Format.RelatesSessions(), s.Format.ArrangesEveryFile()
	if s.Torn {
		sum.Notes++
		it.State.HasTornLine = true
	}
	for p := range t.Len() {
		it.countEntry(t.At(session.Pos(p)))
	}
	it.State.Lines = t.Len()
	branches := listBranches(t)
	sum.Branches = len(branches)
	it.State.Lanes = packLongest(branches)
	it.finishSummary()
	return it
}

// countEntry adds an entry to the counts.
func (it *listedSession) countEntry(e *session.Entry) {
	if e.HasFlag(session.FlagMetadata) {
		return
	}
	if e.Copied {
		it.State.Copied++
		return
	}
	if e.HasFlag(session.FlagArtifact) || e.HasFlag(session.FlagCommand) { // recorded a second time or by mistake; of the prompt line
		return
	}
	it.countFileChanges(e)
	switch e.Kind {
	case session.KindUser, session.KindAssistant:
		if e.MessageTime != session.NoTime {
			it.State.NewestMessage = max(it.State.NewestMessage, e.MessageTime)
		}
		it.Summary.Messages++
	case session.KindToolResult, session.KindShell, session.KindSystem, session.KindMessage:
		it.Summary.Messages++
	}
}

// finishSummary sets the fields that depend on others.
func (it *listedSession) finishSummary() {
	s, g := &it.Summary, &it.State
	s.Size, s.FileTime, s.Deleted = it.Checkpoint.Size, time.Unix(0, it.Checkpoint.Mtime), it.Checkpoint.IsOfCopy()
	s.Created, s.Modified = s.FileTime, s.FileTime
	if g.HeaderTime != session.NoTime {
		s.Created, s.Modified = time.UnixMilli(g.HeaderTime), time.UnixMilli(g.HeaderTime)
	}
	if g.NewestMessage > 0 {
		s.Modified = time.UnixMilli(g.NewestMessage)
	}
	s.Shape = scaleShape(g.Lanes, g.Lines)
	g.Changes.finish()
	s.FilesChanged = len(g.Changes.Files)
	it.cloneStrings()
}

// cloneStrings copies the strings of entries, which are parts of larger texts.
func (it *listedSession) cloneStrings() {
	s := &it.Summary
	for _, text := range []*string{&s.ID, &s.Name, &s.Parent, &s.Leaf} {
		*text = strings.Clone(*text)
	}
	it.shareStrings()
}

// shareStrings makes the strings that many sessions have, such as names of models, exist once.
func (it *listedSession) shareStrings() {
	s := &it.Summary
	for _, text := range []*string{&s.Cwd, &s.Model, &s.Format, &s.Root, &it.State.LastModel} {
		*text = unique.Make(*text).Value()
	}
}

// truncatePrompt returns the first maxPromptRunes runes of a prompt as one line.
func truncatePrompt(s string) string {
	const most = 16 * maxPromptRunes // bytes; white space may take some of them
	return rowtext.Cut(rowtext.OneLine(strings.ToValidUTF8(s[:min(len(s), most)], "")), maxPromptRunes)
}

// Summary is what a list shows of a session.
type Summary struct {
	Key          string
	Format       string
	Path         string
	Root         string
	ID           string
	Cwd          string
	Name         string
	Parent       string // parent session, as recorded
	FirstMessage string // first user text, cut at 200 runes
	Messages     int
	Entries      int
	Branches     int // number of branches besides the one with the leaf
	Agents       int // sub-agents, which are not branches
	FilesChanged int // by tools that name the file, on any branch
	LinesAdded   int // in these files, as far as the agent records it
	LinesRemoved int
	Labels       int
	LabelTexts   []string // sorted, each once
	Leaf         string
	Created      time.Time // by the header, else by the file
	Modified     time.Time // newest user or assistant message, by pi's rule
	FileTime     time.Time // the file's modification time
	AgentWrote   time.Time // when another program last wrote to the file: see session.IsLive
	// SubAgentWrote is when a sub-agent last wrote to a file of its own, zero if none has.
	SubAgentWrote time.Time
	Activity      *activity.Track // what the last messages say; never changed, nil = nothing
	Model         string
	Cost          float64 // of the requests that belong to the session, as far as their price is known; only Sessions sets it
	Size          int64
	Shape         []Lane // a miniature of the tree
	Notes         int
	// Orphaned is set for sub-agents whose session is gone. The first of their files
	// represents all of one session.
	Orphaned bool
	// Deleted is set if the session's file was deleted, so that it is read from a copy.
	Deleted bool
	// Damage says which data of the explorer about the session cannot be read. It is
	// computed at each listing.
	Damage string
}

// Lane is one branch of a Shape: it leaves lane From at X0 and ends at X1, in
// thousandths of the session's entries. The first is the spine (From -1).
type Lane struct {
	From, Lane int8
	X0, X1     int16
}

// Unreadable is a file that cannot be listed.
type Unreadable struct {
	Path   string
	Reason string
}

// identity identifies a session wherever its file is.
func (s *Summary) identity() string { return s.Format + "\x00" + s.ID }

// mergeOrphans merges the summaries of sub-agents of the same missing session into that
// of their first file.
func mergeOrphans(all []Summary) []Summary {
	first := map[string]int{} // by session
	out := all[:0]
	for _, s := range all {
		i, ok := first[s.Format+"\x00"+s.ID]
		switch {
		case !s.Orphaned:
			out = append(out, s)
		case !ok:
			first[s.Format+"\x00"+s.ID] = len(out)
			out = append(out, s)
		default:
			out[i] = out[i].addCounts(s)
		}
	}
	return out
}

// addCounts adds the counts of another file of the same missing session.
func (s Summary) addCounts(o Summary) Summary {
	if o.Path < s.Path {
		s, o = o, s
	}
	s.Messages, s.Entries, s.Agents, s.Cost = s.Messages+o.Messages, s.Entries+o.Entries, s.Agents+o.Agents, s.Cost+o.Cost
	s.LinesAdded, s.LinesRemoved, s.FilesChanged = s.LinesAdded+o.LinesAdded, s.LinesRemoved+o.LinesRemoved, s.FilesChanged+o.FilesChanged
	s.Size, s.Notes, s.Labels = s.Size+o.Size, s.Notes+o.Notes, s.Labels+o.Labels
	s.Deleted = s.Deleted && o.Deleted
	if o.Modified.After(s.Modified) {
		s.Modified = o.Modified
	}
	if o.FileTime.After(s.FileTime) {
		s.FileTime = o.FileTime
	}
	if o.AgentWrote.After(s.AgentWrote) {
		s.AgentWrote = o.AgentWrote
	}
	return s
}
