package pi

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// maxSniffed is the number of records that are checked for signs of either agent.
const maxSniffed = 16

// sniffAgent returns the agent that wrote a file beginning with head: "pi", "omp" or "".
func sniffAgent(head []byte) string {
	l, id, n := new(line), "", 0
	for found := range jsonl.Lines(head) {
		if l.readLine(found.Data) != nil {
			continue
		}
		l.makeRecord("")
		l.pack.makeStrings()
		if n++; n > 1 {
			if agent := l.exclusiveAgent(); agent != "" {
				return agent
			}
			if n == maxSniffed {
				break
			}
			continue
		}
		if l.rec.Ignored {
			return "omp"
		}
		x, _ := l.rec.Extra.(*recordFacts)
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
	case isNanoID(id):
		return "omp"
	}
	return "pi"
}

// exclusiveAgent returns the only agent that writes such an entry, "" if both do.
func (l *line) exclusiveAgent() string {
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
