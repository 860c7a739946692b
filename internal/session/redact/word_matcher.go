package redact

// wordMatcher finds many words in one pass over a text, ignoring the case of ASCII letters. It is
// an Aho-Corasick automaton with a full table over the bytes that occur.
type wordMatcher struct {
	class [256]uint8 // class of a byte; 0 for bytes in no word
	width int
	next  []int32     // state*width+class -> state
	steps []tableStep // next in the form for a fast loop
	ends  [][]int     // ids of the words that end in a state
	size  []int       // lengths of the words
}

// newWordMatcher returns the automaton of words, which must be in lower case and not empty.
func newWordMatcher(all []string) *wordMatcher {
	w := &wordMatcher{width: 1}
	for _, word := range all {
		for i := range len(word) {
			w.addByte(word[i])
		}
	}
	w.buildTrie(all)
	w.linkSuffixes()
	w.steps = make([]tableStep, len(w.next))
	for i, to := range w.next {
		w.steps[i] = tableStep(int(to)*w.width) << 1
		if len(w.ends[to]) > 0 {
			w.steps[i] |= 1
		}
	}
	return w
}

// tableStep is the start of the next state's row, times two, plus one if words end in that state.
type tableStep uint32

func (w *wordMatcher) addByte(b byte) {
	if w.class[b] != 0 {
		return
	}
	w.class[b] = uint8(w.width)
	if 'a' <= b && b <= 'z' {
		w.class[b-'a'+'A'] = uint8(w.width)
	}
	w.width++
}

func (w *wordMatcher) buildTrie(all []string) {
	w.addState()
	for id, word := range all {
		w.size = append(w.size, len(word))
		s := int32(0)
		for i := range len(word) {
			at := int(s)*w.width + int(w.class[word[i]])
			if w.next[at] == 0 {
				w.next[at] = w.addState()
			}
			s = w.next[at]
		}
		w.ends[s] = append(w.ends[s], id)
	}
}

func (w *wordMatcher) addState() int32 {
	w.next = append(w.next, make([]int32, w.width)...)
	w.ends = append(w.ends, nil)
	return int32(len(w.ends) - 1)
}

// linkSuffixes sets the transitions for bytes that continue no word: those of the state's longest
// proper suffix. It visits states in order of length.
func (w *wordMatcher) linkSuffixes() {
	suffix := make([]int32, len(w.ends))
	for queue := []int32{0}; len(queue) > 0; queue = queue[1:] {
		s := queue[0]
		w.ends[s] = append(w.ends[s], w.ends[suffix[s]]...)
		for c := range w.width {
			at := int(s)*w.width + c
			fall := w.next[int(suffix[s])*w.width+c]
			switch to := w.next[at]; {
			case to == 0:
				w.next[at] = fall
			case s == 0:
				queue = append(queue, to)
			default:
				suffix[to], queue = fall, append(queue, to)
			}
		}
	}
}

// eachMatch calls found with every word that occurs in text, its end and its length, in the order
// of their ends.
func (w *wordMatcher) eachMatch(text string, found func(word, end, length int)) {
	row := tableStep(0)
	for i := range len(text) {
		next := w.steps[row+tableStep(w.class[text[i]])]
		row = next >> 1
		if next&1 != 0 {
			for _, id := range w.ends[int(row)/w.width] {
				found(id, i+1, w.size[id])
			}
		}
	}
}
