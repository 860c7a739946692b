package spend

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"unique"

	"sessiontree/internal/session"
	"sessiontree/internal/session/spill"
)

// File is what one file records about requests, in the order of its lines. It can be stored
// on disk. It is replaced, never changed.
type File struct {
	Log      []byte      // records, see the kinds; nil while they are in a file
	Moved    spill.Bytes // the records in a file
	Strings  []string    // to which records refer
	Branches []Branch
	// Calls are the names of the tools whose results are pending, by the ids of the calls.
	Calls    map[string]string
	LastTime int64 // of the newest message
	// Compaction is 1 + the branch of the first compaction after the last running totals; 0:
	// there is none.
	Compaction int32
}

// The kinds of records in File.Log.
const (
	recordRequest = iota
	recordToolUse
	recordTotals
)

// Bits of a request record.
const (
	bitHasCost = 1 << iota
	bitCopied
	bitDelegated
)

// logWriter appends records to a File.
type logWriter struct {
	*File
	strings map[string]uint64
}

func newLogWriter(f *File) *logWriter {
	w := &logWriter{f, make(map[string]uint64, len(f.Strings))}
	for i, s := range f.Strings {
		w.strings[s] = uint64(i)
	}
	return w
}

func (w *logWriter) putUint(n int64)  { w.Log = binary.AppendUvarint(w.Log, uint64(max(n, 0))) }
func (w *logWriter) putInt(n int64)   { w.Log = binary.AppendVarint(w.Log, n) }
func (w *logWriter) putWord(n uint64) { w.Log = binary.LittleEndian.AppendUint64(w.Log, n) }

func (w *logWriter) putString(s string) {
	n, ok := w.strings[s]
	if !ok {
		n = uint64(len(w.Strings))
		s = unique.Make(s).Value() // not a part of the text of a whole line, and once for all sessions
		w.Strings, w.strings[s] = append(w.Strings, s), n
	}
	w.Log = binary.AppendUvarint(w.Log, n)
}

// putUsage writes the model and the tokens of r, and the cost if it was recorded.
func (w *logWriter) putUsage(r *Request) {
	bits := byte(0)
	for i, on := range []bool{r.HasCost, r.Copied, r.Delegated} {
		if on {
			bits |= 1 << i
		}
	}
	w.Log = append(w.Log, bits)
	w.putString(r.Model)
	for _, n := range [...]int64{r.Input, r.Output, r.CacheRead, r.CacheWrite, r.CacheWrite1h, r.Thinking} {
		w.putUint(n)
	}
	if r.HasCost {
		w.putWord(math.Float64bits(r.Cost))
	}
}

func (w *logWriter) putRequest(r *Request) {
	w.Log = append(w.Log, recordRequest)
	w.putWord(r.Key)
	w.putInt(r.Time)
	w.putUsage(r)
	w.putUint(int64(r.Branch))
	w.putUint(r.ModelWait)
}

func (w *logWriter) putToolUse(tool string, failed bool, wait int64) {
	w.Log = append(w.Log, recordToolUse, 0)
	if failed {
		w.Log[len(w.Log)-1] = 1
	}
	w.putString(tool)
	w.putUint(wait)
}

func (w *logWriter) putTotals(time int64, branch int32, models []session.Charge) {
	w.Log = append(w.Log, recordTotals)
	w.putInt(time)
	w.putUint(int64(branch))
	w.putUint(int64(len(models)))
	for i := range models {
		w.putUsage(&Request{Model: models[i].Model, Usage: models[i].Usage, HasCost: models[i].HasCost})
	}
}

// ShareStrings makes files that were read from a disk have strings that others have, too, once: the
// names of models and tools.
func (f *File) ShareStrings() {
	for i, s := range f.Strings {
		f.Strings[i] = unique.Make(s).Value()
	}
}

// extends reports whether f is o with more records.
func (f *File) extends(o *File) bool {
	return f.LogSize() >= o.LogSize() && slices.Equal(f.Branches, o.Branches) && bytes.HasPrefix(f.records(), o.records())
}
