package redact

// words finds many words in one pass over a text, whatever their case (ASCII): an
// automaton after Aho and Corasick, with a full table over the bytes that occur.
type words struct {
	class [256]uint8 // of a byte; 0 is every byte of no word
	width int
	next  []int32 // state*width+class -> state
	steps []step  // the same for a fast loop
	ends  [][]int // words that end in a state
	size  []int   // length of a word
}

// newWords makes the automaton of words, which are lower case and not empty.
func newWords(all []string) *words {
	w := &words{width: 1}
	for _, word := range all {
		for i := range len(word) {
			w.add(word[i])
		}
	}
	w.trie(all)
	w.link()
	w.steps = make([]step, len(w.next))
	for i, to := range w.next {
		w.steps[i] = step(int(to)*w.width) << 1
		if len(w.ends[to]) > 0 {
			w.steps[i] |= 1
		}
	}
	return w
}

// step is where the row of the next state begins, times two, and one more if words
// end there.
type step uint32

func (w *words) add(b byte) {
	if w.class[b] != 0 {
		return
	}
	w.class[b] = uint8(w.width)
	if 'a' <= b && b <= 'z' {
		w.class[b-'a'+'A'] = uint8(w.width)
	}
	w.width++
}

func (w *words) trie(all []string) {
	w.state()
	for id, word := range all {
		w.size = append(w.size, len(word))
		s := int32(0)
		for i := range len(word) {
			at := int(s)*w.width + int(w.class[word[i]])
			if w.next[at] == 0 {
				w.next[at] = w.state()
			}
			s = w.next[at]
		}
		w.ends[s] = append(w.ends[s], id)
	}
}

func (w *words) state() int32 {
	w.next = append(w.next, make([]int32, w.width)...)
	w.ends = append(w.ends, nil)
	return int32(len(w.ends) - 1)
}

// link fills in where a state goes on a byte that continues no word of its own:
// where its longest proper suffix goes. States are visited shortest first.
func (w *words) link() {
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

// each calls found with every word that occurs in text, where it ends and how long
// it is, in the order of their ends.
func (w *words) each(text string, found func(word, end, length int)) {
	row := step(0)
	for i := range len(text) {
		next := w.steps[row+step(w.class[text[i]])]
		row = next >> 1
		if next&1 != 0 {
			for _, id := range w.ends[int(row)/w.width] {
				found(id, i+1, w.size[id])
			}
		}
	}
}
