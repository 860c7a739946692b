package redact

// words finds many words in one pass over a text, whatever their case (ASCII): an
// automaton after Aho and Corasick, with a full table over the bytes that occur.
type words struct {
	class [256]uint8 // of a byte; 0 is every byte of no word
	width int
	next  []int32 // state*width+class -> state
	ends  [][]int // words that end in a state
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
	return w
}

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

// each calls found with every word that occurs in text and where it ends, in the
// order of their ends.
func (w *words) each(text string, found func(word, end int)) {
	s := int32(0)
	for i := range len(text) {
		s = w.next[int(s)*w.width+int(w.class[text[i]])]
		if ends := w.ends[s]; ends != nil {
			for _, id := range ends {
				found(id, i+1)
			}
		}
	}
}
