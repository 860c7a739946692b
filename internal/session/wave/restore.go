package wave

import "sessiontree/internal/session"

// restore hangs what was taken back on the entry that it stood behind.
func (u *unit) restore() {
	if len(u.files.Rewound) == 0 {
		return
	}
	at := make(map[string]session.Pos, len(u.given))
	for p, e := range u.out.Entries {
		if _, ok := at[e.ID]; !ok && u.rewound(e.Span.File) == nil {
			at[e.ID] = session.Pos(p)
		}
	}
	for i := range u.files.Rewound {
		u.hangRewound(&u.files.Rewound[i], at)
	}
}

func (u *unit) hangRewound(r *session.Rewound, at map[string]session.Pos) {
	for p, e := range u.out.Entries {
		if e.Span.File != r.File {
			continue
		}
		own := *e
		if u.out.Parent[p] == session.NoPos {
			own.Flags |= session.FlagRewound
			if up, ok := at[r.After]; ok {
				u.out.Parent[p] = up
			}
		}
		for base := own.ID; ; own.ID += "~" {
			if _, taken := at[own.ID]; !taken {
				break
			} else if own.ID == base {
				own.Flags |= session.FlagArtifact
				own.Status = "written again since"
			}
		}
		at[own.ID] = session.Pos(p)
		u.back[e.ID] = true
		u.out.Entries[p] = &own
	}
	if k, ok := u.lines[r.File]; ok {
		line := &u.out.Lines[k]
		line.At, line.Parent, line.Branch = u.out.Parent[line.Entries[0]], stem(u.name(0)), true
	}
}
