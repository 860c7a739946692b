package claude

import "strings"

// sessionTitles are the names of sessions: the title given by hand, else the one the agent
// found, else a summary of one of its entries, else the first prompt.
type sessionTitles struct {
	custom, generated, summaries, prompts map[string]rankedTitle
}

// rankedTitle is one of them, from the file of that rank in load order: of titles that
// were set again the last one counts, of prompts the first.
type rankedTitle struct {
	text string
	rank int
}

func newSessionTitles() sessionTitles {
	return sessionTitles{map[string]rankedTitle{}, map[string]rankedTitle{}, map[string]rankedTitle{}, map[string]rankedTitle{}}
}

// addFrom takes in what a line of a file of that rank says of a session, and reports
// whether it says anything new.
func (t *sessionTitles) addFrom(l *arrangement, x *facts, rank int) (told bool) {
	set := func(of map[string]rankedTitle, session, text string) {
		if old, ok := of[session]; ok && old.rank > rank {
			return
		}
		told = told || of[session].text != text
		of[session] = rankedTitle{text, rank}
	}
	if x.titled {
		set(t.custom, x.sessionID, x.title)
	}
	if x.aiTitle != "" {
		set(t.generated, x.sessionID, x.aiTitle)
	}
	if x.summary != "" && x.leaf != "" {
		if n, ok := l.threader.byID[x.leaf]; ok {
			s, _, _ := strings.Cut(l.threader.nodes[n].session, "#agent-")
			set(t.summaries, s, x.summary)
		} else {
			l.recordMissingID(x.leaf)
		}
	}
	if x.prompt != "" && !x.sidechain {
		if old, ok := t.prompts[x.sessionID]; !ok || old.rank > rank {
			t.prompts[x.sessionID] = rankedTitle{x.prompt, rank}
			told = true
		}
	}
	return told
}

// sessionTitle is the title of a session, "" when it has none.
func (t *sessionTitles) sessionTitle(session string) string {
	for _, titles := range []map[string]rankedTitle{t.custom, t.generated, t.summaries, t.prompts} {
		if title := titles[session].text; title != "" {
			return title
		}
	}
	return ""
}
