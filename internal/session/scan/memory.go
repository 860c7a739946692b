package scan

import (
	"reflect"
	"unsafe"

	"sessiontree/internal/session"
)

// Memory returns an estimate of the memory of the file's entries and their tree nodes, and of the
// reader, in bytes.
func (r *Reader) Memory() int64 {
	const state = 512 // of the reader's owner: paths, the checkpoint
	return int64(unsafe.Sizeof(*r)) + state + r.weight + int64(cap(r.head)+cap(r.tail))
}

// EndReading releases what only further reads need: the file never changes.
func (r *Reader) EndReading() { r.head, r.tail, r.dec = nil, nil, nil }

// estimateMemory returns an estimate of the memory of an entry and its tree nodes, in bytes.
func estimateMemory(e *session.Entry, f *session.Format) int64 {
	const links = 120    // positions and the index by id
	const arranged = 100 // what an arrangement of several files adds: some entries are copied
	n := int64(unsafe.Sizeof(*e)+unsafe.Sizeof(LineCheck{})) + links
	n += int64(len(e.ID) + len(e.Parent) + len(e.Preview) + len(e.Name))
	if f.Graph != nil {
		n += arranged
	}
	if x := reflect.TypeOf(e.Extra); x != nil && x.Kind() == reflect.Pointer {
		n += int64(x.Elem().Size())
	}
	if e.Details == nil {
		return n
	}
	d := e.Details
	n += int64(unsafe.Sizeof(*d)) + int64(len(d.Target)+len(d.Call)+len(d.Error)+len(d.Status))
	if d.Charge != nil {
		n += int64(unsafe.Sizeof(*d.Charge))
	}
	for i := range d.Calls {
		c := &d.Calls[i]
		n += int64(unsafe.Sizeof(*c)) + int64(len(c.ID)+len(c.Name)+len(c.Arg)+len(c.CommandLine))
	}
	return n
}
