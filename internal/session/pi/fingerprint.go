package pi

import (
	"encoding/binary"
	"hash/fnv"

	"sessiontree/internal/session/jsonl"
)

// fingerprintLine returns a hash of a line's content without the ids in it. It does not change when
// an agent migrates the file, which changes ids, renames roles and rewrites lines by JSON.stringify
// with other white space, escapes, numbers and order of keys.
func fingerprintLine(line []byte) uint64 {
	h := uint64(0)
	for key, v := range lastValues(jsonl.ObjectFields(jsonl.Value{Raw: line})) {
		switch {
		case migratedKeys[key]:
		case key == "message" && v.Kind() == '{':
			for key, v := range lastValues(jsonl.ObjectFields(v)) {
				h += hashMember("message."+key, v)
			}
		default:
			h += hashMember(key, v)
		}
	}
	return h
}

// migratedKeys are the keys that a migration changes, adds or removes.
var migratedKeys = map[string]bool{
	"id": true, "parentId": true, "firstKeptEntryId": true, "firstKeptEntryIndex": true, "fromId": true, "targetId": true, "version": true,
	"uuid": true, "parentUuid": true, "firstKeptEntryUuid": true, "fromUuid": true, "targetUuid": true,
}

// lastValues returns an object's values by key, the last one of repeated keys.
func lastValues(o jsonl.Object) map[string]jsonl.Value {
	values := make(map[string]jsonl.Value, len(o))
	for _, f := range o {
		values[string(f.Key)] = f.Value
	}
	return values
}

func hashMember(key string, v jsonl.Value) uint64 {
	switch {
	case key == "message.role" && v.Is("hookMessage"):
		v = jsonl.Value{Raw: quoteJSON("custom")}
	case key == "type" && v.Is("stack_summary"):
		v = jsonl.Value{Raw: quoteJSON("branch_summary")}
	}
	sum := fnv.New64a()
	_ = binary.Write(sum, binary.LittleEndian, uint32(len(key))) // writing to a hash never fails
	_, _ = sum.Write([]byte(key))
	text, _ := jsonl.AppendCompact(nil, v, jsonl.Unlimited)
	_, _ = sum.Write(text)
	return sum.Sum64()
}
