package spend

import (
	"encoding/binary"
	"math"
	"slices"
)

// logReader reads the records of a File. A log that is damaged ends early.
type logReader struct {
	*File
	rest []byte
}

func (r *logReader) uint() int64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 || n > math.MaxInt64 {
		r.rest = nil
		return 0
	}
	r.rest = r.rest[size:]
	return int64(n)
}

func (r *logReader) int() int64 {
	n, size := binary.Varint(r.rest)
	r.rest = r.rest[max(size, 0):]
	if size <= 0 {
		r.rest = nil
	}
	return n
}

func (r *logReader) byte() byte {
	if len(r.rest) == 0 {
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

func (r *logReader) word() uint64 {
	if len(r.rest) < 8 {
		r.rest = nil
		return 0
	}
	n := binary.LittleEndian.Uint64(r.rest)
	r.rest = r.rest[8:]
	return n
}

func (r *logReader) string() string {
	if n := r.uint(); n < int64(len(r.Strings)) {
		return r.Strings[n]
	}
	return ""
}

func (r *logReader) usage(q *Request) {
	bits := r.byte()
	q.HasCost, q.Copied, q.Delegated = bits&bitHasCost != 0, bits&bitCopied != 0, bits&bitDelegated != 0
	q.Model = r.string()
	q.Input, q.Output, q.CacheRead = r.uint(), r.uint(), r.uint()
	q.CacheWrite, q.CacheWrite1h, q.Thinking = r.uint(), r.uint(), r.uint()
	if q.HasCost {
		q.Cost = math.Float64frombits(r.word())
	}
}

func (r *logReader) request(q *Request) {
	q.Key, q.Time = r.word(), r.int()
	r.usage(q)
	q.Branch, q.ModelWait = int32(r.uint()), r.uint()
}

// content is a decoded File: each request once.
type content struct {
	requests []Request
	uses     []ToolUse
	totals   []totals
}

// decoder decodes files, each in the memory of the one before.
type decoder struct {
	content content
	index   map[uint64]int32
	records []byte
}

// decode decodes the file.
func (f *File) decode() *content { return new(decoder).decode(f) }

// decode decodes a file. What it returned before is overwritten, but for the totals.
func (d *decoder) decode(f *File) *content {
	if d.index == nil {
		d.index = make(map[uint64]int32, f.LogSize()/32)
	}
	clear(d.index)
	c, index := &d.content, d.index
	*c = content{requests: slices.Grow(c.requests[:0], f.LogSize()/32), uses: c.uses[:0]}
	r, last := logReader{f, f.recordsIn(&d.records)}, int32(-1)
	for len(r.rest) > 0 {
		switch r.byte() {
		case recordRequest:
			last = c.addRequest(&r, index)
		case recordToolUse:
			failed := r.byte() == 1
			use := ToolUse{Request: last, Tool: r.string(), Failed: failed}
			wait := r.uint()
			if last >= 0 {
				c.uses = append(c.uses, use)
				c.requests[last].ToolWait += wait
			}
		case recordTotals:
			t := totals{time: r.int(), branch: int32(r.uint()), models: make([]Request, min(r.uint(), int64(len(r.rest))))}
			for i := range t.models {
				r.usage(&t.models[i])
			}
			c.totals = append(c.totals, t)
		}
	}
	return c
}

// addRequest reads a request record and returns the index of the request.
func (c *content) addRequest(r *logReader, index map[uint64]int32) int32 {
	var q Request
	r.request(&q)
	i, known := index[q.Key]
	if !known {
		i = int32(len(c.requests))
		c.requests, index[q.Key] = append(c.requests, q), i
		return i
	}
	first := &c.requests[i]
	if i == int32(len(c.requests))-1 { // the next line of the same answer
		first.ModelWait += q.ModelWait
	}
	first.mergeCopy(&q)
	return i
}

// eachKey calls fn with the keys of the requests from an offset of the log on, and whether they are
// marked as copies. It decodes nothing else, because a start does it for every session.
func (d *decoder) eachKey(f *File, from int, fn func(key uint64, copied bool)) {
	records := f.recordsIn(&d.records)
	r := logReader{f, records[min(from, len(records)):]}
	for len(r.rest) > 0 {
		switch r.byte() {
		case recordRequest:
			key := r.word()
			r.skipInts(1)
			bits := r.skipUsage()
			r.skipInts(2)
			fn(key, bits&bitCopied != 0)
		case recordToolUse:
			r.byte()
			r.skipInts(2)
		case recordTotals:
			r.skipInts(2)
			for n := r.uint(); n > 0 && len(r.rest) > 0; n-- {
				r.skipUsage()
			}
		}
	}
}

// skipUsage skips what usage reads, and returns its bits.
func (r *logReader) skipUsage() byte {
	bits := r.byte()
	r.skipInts(7)
	if bits&bitHasCost != 0 {
		r.word()
	}
	return bits
}

// skipInts skips n integers.
func (r *logReader) skipInts(n int) {
	for i, b := range r.rest {
		if b < 0x80 {
			if n--; n == 0 {
				r.rest = r.rest[i+1:]
				return
			}
		}
	}
	r.rest = nil
}
