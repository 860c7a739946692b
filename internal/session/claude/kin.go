package claude

import (
	"hash/maphash"

	"sessiontree/internal/session"
)

// kin is by what a transcript hangs together with others: copied prefixes hold
// the same entries, and sessions that go on name the parent of their first one.
func kin(parts [][]session.Entry) (k session.Kin) {
	own, named := map[string]bool{}, map[string]bool{}
	each(parts, func(x *facts) {
		if x.hasID && !own[x.id] {
			own[x.id] = true
			k.Own = append(k.Own, maphash.String(seed, x.id))
		}
	})
	each(parts, func(x *facts) {
		for _, id := range []string{x.parent, x.logical} {
			if id != "" && !own[id] && !named[id] {
				named[id] = true
				k.Refs = append(k.Refs, maphash.String(seed, id))
			}
		}
	})
	return k
}

func each(parts [][]session.Entry, fn func(*facts)) {
	for _, part := range parts {
		for i := range part {
			fn(part[i].Extra.(*facts))
		}
	}
}
