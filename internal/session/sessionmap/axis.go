package sessionmap

import (
	"slices"
	"sort"

	"sessiontree/internal/session"
)

// Axis is what the places of a map stand for.
type Axis uint8

// The axes.
const (
	Time  Axis = iota // when entries were recorded; long pauses are folded
	Steps             // how many entries are above an entry
)

// Folded pauses.
const (
	minPause   = 10 * 60 * 1000 // ms without any entry
	pauseWidth = 28             // px
)

// Pause is a folded part of the time axis.
type Pause struct {
	X0, X1 float64
	Length int64 // ms
}

// timeScale maps times to places. Between two knots it is linear.
type timeScale struct {
	times   []int64
	places  []float64
	isPause []bool // the part before a knot is a folded pause
	pauses  []Pause
}

// newTimeScale returns the scale of sorted times between two places.
func newTimeScale(times []int64, x0, x1 float64) *timeScale {
	s := &timeScale{}
	if len(times) == 0 {
		return s
	}
	active, pauses := int64(0), 0
	for i := 1; i < len(times); i++ {
		if d := times[i] - times[i-1]; d >= minPause {
			pauses++
		} else {
			active += d
		}
	}
	folded := min(pauseWidth, (x1-x0)/2/float64(max(pauses, 1))) // many pauses leave half of the room
	perMs := (x1 - x0 - folded*float64(pauses)) / float64(max(active, 1))
	if active == 0 && pauses > 0 {
		folded = (x1 - x0) / float64(pauses)
	}
	x := x0
	s.addKnot(times[0], x, false)
	for i := 1; i < len(times); i++ {
		d := times[i] - times[i-1]
		if d < minPause {
			x += float64(d) * perMs
			continue
		}
		s.addKnot(times[i-1], x, false)
		s.addPause(Pause{x, x + folded, d})
		x += folded
		s.addKnot(times[i], x, true)
	}
	s.addKnot(times[len(times)-1], x, false)
	return s
}

func (s *timeScale) addKnot(t int64, x float64, isPause bool) {
	if n := len(s.times); n > 0 && s.times[n-1] == t {
		return
	}
	s.times, s.places, s.isPause = append(s.times, t), append(s.places, x), append(s.isPause, isPause)
}

// minPauseWidth is how wide a pause is at least that is not joined with the one before.
const minPauseWidth = 4 // px

// addPause adds a pause. Very many narrow ones become few.
func (s *timeScale) addPause(p Pause) {
	if n := len(s.pauses); n > 0 && p.X1-s.pauses[n-1].X0 < minPauseWidth {
		s.pauses[n-1].X1 = p.X1
		s.pauses[n-1].Length += p.Length
		return
	}
	s.pauses = append(s.pauses, p)
}

// place returns the place of a time.
func (s *timeScale) place(t int64) float64 {
	n := sort.Search(len(s.times), func(i int) bool { return s.times[i] >= t })
	switch {
	case len(s.times) == 0:
		return 0
	case n == len(s.times):
		return s.places[n-1]
	case n == 0 || s.times[n] == t:
		return s.places[n]
	}
	share := float64(t-s.times[n-1]) / float64(s.times[n]-s.times[n-1])
	return s.places[n-1] + share*(s.places[n]-s.places[n-1])
}

// Tick is a mark on the axis: a time in ms or a number of steps.
type Tick struct {
	X     float64
	Value int64
}

// minTickDistance is the least distance between two ticks in px.
const minTickDistance = 96

// Steps between ticks.
var (
	tickTimes = []int64{1e3, 5e3, 15e3, 30e3, 60e3, 2 * 60e3, 5 * 60e3, 10 * 60e3, 15 * 60e3, 30 * 60e3, 3600e3, 2 * 3600e3, 6 * 3600e3, 12 * 3600e3, 24 * 3600e3}
	tickSteps = []int64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000}
)

// ticks returns the ticks of the parts between pauses.
func (s *timeScale) ticks() (ticks []Tick) {
	last := -1.0 * minTickDistance
	for i := 1; i < len(s.times); i++ {
		from, to, width := s.times[i-1], s.times[i], s.places[i]-s.places[i-1]
		if s.isPause[i] {
			continue
		}
		each := tickStep(tickTimes, float64(to-from), width)
		for t := (from + each - 1) / each * each; t <= to; t += each {
			if x := s.place(t); x-last >= minTickDistance {
				ticks, last = append(ticks, Tick{x, t}), x
			}
		}
	}
	return ticks
}

// tickStep returns the distance of ticks on a part of an axis.
func tickStep(steps []int64, length, width float64) int64 {
	for _, step := range steps {
		if float64(step)/max(length, 1)*width >= minTickDistance {
			return step
		}
	}
	return steps[len(steps)-1]
}

// stepTicks returns the ticks of an axis of steps.
func stepTicks(steps int, place func(step int) float64) (ticks []Tick) {
	each := tickStep(tickSteps, float64(steps), place(steps)-place(0))
	for n := int64(0); n <= int64(steps); n += each {
		ticks = append(ticks, Tick{place(int(n)), n})
	}
	return ticks
}

// listTimes returns the times of the entries that are shown, sorted, each once.
func listTimes(t *session.Tree) []int64 {
	var times []int64
	for p := range session.Pos(t.Len()) {
		if e := t.At(p); e.Time != session.NoTime && !e.HasFlag(session.FlagMetadata) {
			times = append(times, e.Time)
		}
	}
	slices.Sort(times)
	return slices.Compact(times)
}
