package claude

import "strings"

// titles are the names of sessions: the title given by hand, else the one the agent
// found, else a summary of one of its entries, else the first prompt.
type titles struct {
	byHand, found, summed, asked map[string]title
}

// title is one of them, from the file of that rank in load order: of titles that
// were set again the last one counts, of prompts the first.
type title struct {
	text string
	rank int
}

func newTitles() titles {
	return titles{map[string]title{}, map[string]title{}, map[string]title{}, map[string]title{}}
}

// learn takes in what a line of a file of that rank says of a session, and reports
// whether it says anything new.
func (t *titles) learn(l *layout, x *facts, rank int) (told bool) {
	set := func(of map[string]title, session, text string) {
		if old, ok := of[session]; ok && old.rank > rank {
			return
		}
		told = told || of[session].text != text
		of[session] = title{text, rank}
	}
	if x.titled {
		set(t.byHand, x.about, x.title)
	}
	if x.aiTitle != "" {
		set(t.found, x.about, x.aiTitle)
	}
	if x.summary != "" && x.leaf != "" {
		if n, ok := l.w.byID[x.leaf]; ok {
			s, _, _ := strings.Cut(l.w.nodes[n].session, "#agent-")
			set(t.summed, s, x.summary)
		} else {
			l.await(x.leaf)
		}
	}
	if x.prompt != "" && !x.sidechain {
		if old, ok := t.asked[x.about]; !ok || old.rank > rank {
			t.asked[x.about] = title{x.prompt, rank}
			told = true
		}
	}
	return told
}

// of is the title of a session, "" when it has none.
func (t *titles) of(session string) string {
	for _, titles := range []map[string]title{t.byHand, t.found, t.summed, t.asked} {
		if title := titles[session].text; title != "" {
			return title
		}
	}
	return ""
}
