package wave

import "sessiontree/internal/session"

// attachRetracted makes retracted lines children of the entry that they followed.
func (u *arrangement) attachRetracted() {
	if len(u.files.Retracted) == 0 {
		return
	}
	at := make(map[string]session.Pos, len(u.entries))
	for p, e := range u.out.Entries {
		if _, ok := at[e.ID]; !ok && u.retractedLines(e.Span.File) == nil {
			at[e.ID] = session.Pos(p)
		}
	}
	for i := range u.files.Retracted {
		u.attachRetractedLines(&u.files.Retracted[i], at)
	}
}

func (u *arrangement) attachRetractedLines(r *session.RetractedLines, at map[string]session.Pos) {
	for p, e := range u.out.Entries {
		if e.Span.File != r.File {
			continue
		}
		own := *e
		if u.out.Parent[p] == session.NoPos {
			own.Flags |= session.FlagRetracted
			if up, ok := at[r.After]; ok {
				u.out.Parent[p] = up
			} else {
				u.retractedIDs[r.After] = true // it may come: a line without an id is named by its place
			}
		}
		for base := own.ID; ; own.ID += "~" {
			if _, taken := at[own.ID]; !taken {
				break
			} else if own.ID == base {
				own.Flags |= session.FlagArtifact
				own.OwnDetails().Status = "written again since"
			}
		}
		at[own.ID] = session.Pos(p)
		u.retractedIDs[e.ID] = true
		u.out.Entries[p] = &own
	}
	if k, ok := u.threadOf[r.File]; ok {
		line := &u.out.Threads[k]
		line.At, line.Parent, line.Branch = u.out.Parent[line.Entries[0]], fileStem(u.fileName(0)), true
	}
}
