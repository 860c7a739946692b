package pi

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// sniffed is how many records are looked at for what only one of the agents writes.
const sniffed = 16

// sniff says which agent wrote a file that begins with head: "pi", "omp" or "".
func sniff(head []byte) string {
	l, id, n := new(line), "", 0
	for found := range jsonl.Lines(head) {
		if l.scan(found.Data) != nil {
			continue
		}
		l.record("")
		l.pack.seal()
		if n++; n > 1 {
			if agent := l.agentOf(); agent != "" {
				return agent
			}
			if n == sniffed {
				break
			}
			continue
		}
		if l.rec.Skip {
			return "omp"
		}
		x, _ := l.rec.Extra.(*extra)
		switch {
		case l.rec.Header == nil || x.noID:
			return ""
		case x.ompKeys:
			return "omp"
		}
		id = l.rec.Header.ID
	}
	switch {
	case n == 0:
		return ""
	case nanoid(id):
		return "omp"
	}
	return "pi"
}

// agentOf says which agent alone writes such an entry, "" when both do.
func (l *line) agentOf() string {
	switch e := &l.rec.Entry; e.Kind {
	case session.KindModel:
		if l.modelID.IsString() {
			return "pi"
		}
		return "omp"
	case session.KindName, session.KindUsage, session.KindContextEdit, session.KindSystem:
		return "pi"
	case session.KindEvent, session.KindReset, session.KindArchive:
		return "omp"
	}
	return ""
}
