package archive

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
)

// tailMagic begins the file of a tail.
const tailMagic = "sxtail1\n"

// tailHeader says which generation a tail is of, and what comes before it.
type tailHeader struct {
	Path       []byte `json:"path"` // bytes, because a path need not be valid text
	Generation int    `json:"generation"`
	Base       int64  `json:"base"` // offset of the first byte in the tail
	BaseChain  []byte `json:"baseChain"`
	BaseState  []byte `json:"baseState"` // of the chain at Base
	BaseTime   int64  `json:"baseTime"`
	PackSize   int64  `json:"packSize"` // of the pack, which has the bytes before Base
}

// tail is the content of the file with the last frames of a generation. New segments are
// appended to it. Before it has more than MaxSegment bytes of the file, its frames are merged
// and moved to the pack.
type tail struct {
	tailHeader
	frames []frame
	size   int64 // of the header and the intact frames
}

// newTail returns a tail without frames.
func newTail(path string, generation int) *tail {
	state := NewChainState()
	return &tail{tailHeader: tailHeader{Path: []byte(path), Generation: generation, BaseChain: EmptyChain[:], BaseState: state[:]}}
}

// decodeTail decodes the content of a tail's file. Frames after one that is not intact were
// never acknowledged, and are ignored.
func decodeTail(b []byte) (*tail, error) {
	const fixed = len(tailMagic) + 4
	if len(b) < fixed || string(b[:len(tailMagic)]) != tailMagic {
		return nil, fmt.Errorf("beginning of the tail: %w", ErrDamaged)
	}
	n := int64(binary.LittleEndian.Uint32(b[len(tailMagic):]))
	if int64(len(b)) < int64(fixed)+n+4 {
		return nil, fmt.Errorf("header of the tail: %w", ErrDamaged)
	}
	text, rest := b[fixed:int64(fixed)+n], b[int64(fixed)+n:]
	t := &tail{size: int64(fixed) + n + 4}
	if binary.LittleEndian.Uint32(rest) != crcOf(text) {
		return nil, fmt.Errorf("header of the tail: %w", ErrDamaged)
	}
	if err := json.Unmarshal(text, &t.tailHeader); err != nil || len(t.BaseState) != ChainStateSize || len(t.BaseChain) != len(Chain{}) {
		return nil, fmt.Errorf("header of the tail: %w", ErrDamaged)
	}
	for rest = rest[4:]; ; rest = rest[t.frames[len(t.frames)-1].size():] {
		f, ok := decodeFrame(rest)
		if !ok || f.off != t.end() {
			return t, nil
		}
		t.frames = append(t.frames, f)
		t.size += f.size()
	}
}

// encode returns the content of the tail's file.
func (t *tail) encode() ([]byte, error) {
	text, err := json.Marshal(t.tailHeader)
	if err != nil {
		return nil, err
	}
	b := binary.LittleEndian.AppendUint32([]byte(tailMagic), uint32(len(text)))
	b = binary.LittleEndian.AppendUint32(append(b, text...), crcOf(text))
	for i := range t.frames {
		b = t.frames[i].appendTo(b)
	}
	return b, nil
}

// last returns the last frame, nil if there is none.
func (t *tail) last() *frame {
	if len(t.frames) == 0 {
		return nil
	}
	return &t.frames[len(t.frames)-1]
}

// end returns the offset after the last byte.
func (t *tail) end() int64 {
	if f := t.last(); f != nil {
		return f.end()
	}
	return t.Base
}

// chain returns the Chain and its state at the end.
func (t *tail) chain() (Chain, ChainState) {
	if f := t.last(); f != nil {
		return f.chain, f.state
	}
	return Chain(t.BaseChain), ChainState(t.BaseState)
}

// modTime returns the time of the file when its last bytes were stored, in ns.
func (t *tail) modTime() int64 {
	if f := t.last(); f != nil {
		return f.modTime
	}
	return t.BaseTime
}

// nextFrame makes the frame of a segment at the end.
func (t *tail) nextFrame(s *Segment) (frame, error) {
	_, state := t.chain()
	return newFrame(t.end(), state, s.Data, s.ModTime)
}

// after returns the tail after the end of t, with one frame. The bytes of t are in the pack.
func (t *tail) after(packSize int64, f frame) *tail {
	chain, state := t.chain()
	next := &tail{tailHeader: t.tailHeader, frames: []frame{f}}
	next.Base, next.BaseChain, next.BaseState, next.BaseTime, next.PackSize = t.end(), chain[:], state[:], t.modTime(), packSize
	return next
}

// merged returns the tail with one frame in place of several.
func (t *tail) merged(more ...frame) (*tail, error) {
	f, err := mergeFrames(slices.Concat(t.frames, more))
	if err != nil {
		return nil, err
	}
	return &tail{tailHeader: t.tailHeader, frames: []frame{f}}, nil
}
