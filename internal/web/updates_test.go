package web

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
)

// One response contains the items after an entry and the changed rows. Parts that cannot be
// computed are missing.
func TestUpdates(t *testing.T) {
	s := newSite(t)
	tr := newTranscript("one")
	tr.chain(4)
	path := s.write("one.jsonl", tr)
	url := s.open(path)
	_, rev := splitRows(s.getOK(url + "/rows").body)
	before := tr.last
	tr.user("and now")
	s.append(path, tr)
	has := func(query string, wantPath, wantRows bool) {
		t.Helper()
		a := s.getOK(url + "/news?" + query)
		items, rows := strings.Contains(a.body, `class="path-page"`), strings.Contains(a.body, `class="rows"`)
		if items != wantPath || rows != wantRows {
			t.Errorf("%s: items %v, rows %v, want %v, %v", query, items, rows, wantPath, wantRows)
		}
		if wantPath && (!strings.Contains(a.body, `id="e-`+tr.last+`"`) || strings.Contains(a.body, `id="e-`+before+`"`)) {
			t.Errorf("%s: not what came after %s:\n%s", query, before, a.body)
		}
		if a.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: kept as %q", query, a.Header.Get("Cache-Control"))
		}
	}
	has("since="+rev+"&after="+before, true, true)
	has("since="+rev, false, true)
	has("since="+rev+"&after=nowhere", false, true)
	has("since=1.1&after="+before, true, false)
	if got := s.get(url + "/news?since=1.1&after=nowhere").StatusCode; got != http.StatusResetContent {
		t.Errorf("nothing can be told: status %d, want 205", got)
	}
	if got := s.get(url + "/news?after=" + before).StatusCode; got != http.StatusUnprocessableEntity {
		t.Errorf("since no revision: status %d, want 422", got)
	}
}

// Every field of a row is compared.
func TestSameRow_ComparesAllFields(t *testing.T) {
	for _, field := range reflect.VisibleFields(reflect.TypeFor[outline.Row]()) {
		if !field.IsExported() || field.Anonymous { // the size of the run, which is constant, and fields implied by First; the parts of a row
			continue
		}
		var a, b outline.Row
		f := reflect.ValueOf(&b).Elem().FieldByIndex(field.Index)
		switch {
		case f.CanInt():
			f.SetInt(1)
		case f.CanUint():
			f.SetUint(1)
		case f.Kind() == reflect.Bool:
			f.SetBool(true)
		case f.Kind() == reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 1, 1))
		default:
			t.Fatalf("field %s is of a kind this test does not know", field.Name)
		}
		if sameRow(&a, &b) {
			t.Errorf("rows that differ in %s are the same", field.Name)
		}
	}
}

func TestFirstChangedRow(t *testing.T) {
	rows := func(n int, change ...func(rs []outline.Row)) *outline.Outline {
		rs := make([]outline.Row, n)
		for i := range rs {
			rs[i].Pos, rs[i].OnPath = session.Pos(i), true
		}
		for _, f := range change {
			f(rs)
		}
		return &outline.Outline{Rows: outline.NewRows(rs...), Selected: n - 1}
	}
	selected := func(o *outline.Outline, i int) *outline.Outline {
		o.Selected = i
		return o
	}
	tests := []struct {
		name     string
		old, now *outline.Outline
		want     int
	}{
		{"nothing", rows(5), rows(5), 5},
		{"one more: the row before may look different", rows(5), rows(6), 4},
		{"one less", rows(6), rows(5), 4},
		{"a row in the middle", rows(5), rows(5, func(rs []outline.Row) { rs[3].Leaf = true }), 2},
		{"only the selection", selected(rows(9), 6), selected(rows(9), 2), 2},
		{"the old end of the path above", rows(9, func(rs []outline.Row) {
			for i := 4; i < 9; i++ {
				rs[i].OnPath = false
			}
		}), selected(rows(10, func(rs []outline.Row) {
			for i := 4; i < 9; i++ {
				rs[i].OnPath = false
			}
		}), 8), 3},
		{"from nothing", rows(0), rows(3), 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := firstChangedRow(tt.old, tt.now); got != tt.want {
				t.Errorf("firstChange = %d, want %d", got, tt.want)
			}
		})
	}
}

// The rows before a delta and those in it equal a full window, at each step of a session
// that grows and forks, in every layout.
func TestChangedRows_MatchFullWindow(t *testing.T) {
	for _, query := range []string{"", "layout=outline", "filter=all", "filter=user-only", "q=prompt", "filter=all&layout=outline", "entry=e2"} {
		t.Run(query, func(t *testing.T) {
			s := newSite(t)
			tr := newTranscript("one")
			tr.chain(6)
			path := s.write("one.jsonl", tr)
			session := s.open(path)
			url := session + "/rows?n=500&" + query
			rows, rev := splitRows(s.getOK(url).body)
			steps := []func(){
				func() { tr.user("prompt again") },
				func() { tr.answer(text("thinking about prompt"), call("c1", "bash")) },
				func() { tr.result("c1", "done") },
				func() { tr.last = "e3"; tr.user("another way") },
				func() { tr.answer(text("yes")); tr.chain(3) },
				func() { tr.last = "e6"; tr.chain(2) },
				func() {},
			}
			deltas := 0
			for i, step := range steps {
				step()
				s.append(path, tr)
				want, now := splitRows(s.getOK(url).body)
				a := s.get(session + "/news?" + query + "&since=" + rev)
				switch a.StatusCode {
				case http.StatusResetContent:
					if a.body != "" {
						t.Errorf("step %d: 205 with a body", i)
					}
				case http.StatusOK:
					deltas++
					part, at := splitRows(a.body)
					from := count(t, attr(t, a.body, "data-from"))
					if at != now || count(t, attr(t, a.body, "data-total")) != len(want) {
						t.Errorf("step %d: delta to %s of %s rows, want %s of %d", i, at, attr(t, a.body, "data-total"), now, len(want))
					}
					if got := append(rows[:from:from], part...); !reflect.DeepEqual(got, want) {
						t.Errorf("step %d: rows after the delta from %d:\n%s\nwant\n%s", i, from, strings.Join(got, "\n"), strings.Join(want, "\n"))
					}
				default:
					t.Fatalf("step %d: status %d", i, a.StatusCode)
				}
				rows, rev = want, now
			}
			if deltas < 4 {
				t.Errorf("%d of %d steps were answered with a delta", deltas, len(steps))
			}
		})
	}
}

// splitRows splits a window into its rows, without the size of the run, which a delta does
// not update.
func splitRows(html string) (rows []string, rev string) {
	_, rev, _ = strings.Cut(html, ` data-rev="`)
	rev, _, _ = strings.Cut(rev, `"`)
	for i, row := range strings.Split(html, `<div class="row `) {
		if i == 0 {
			continue
		}
		before, size, ok := strings.Cut(row, ` aria-setsize="`)
		if _, after, found := strings.Cut(size, `"`); ok && found {
			row = before + after
		}
		rows = append(rows, strings.TrimSuffix(row, "</div>"))
	}
	if n := len(rows); n > 0 { // the end of the window is not part of the last row
		rows[n-1] = strings.TrimSuffix(rows[n-1], "</div>")
	}
	return rows, rev
}

func count(t *testing.T, s string) int {
	t.Helper()
	var n int
	if _, err := fmt.Sscan(s, &n); err != nil {
		t.Fatalf("%q is no number", s)
	}
	return n
}

func TestChangedRows_Refused(t *testing.T) {
	s := newSite(t)
	tr := newTranscript("one")
	tr.chain(4)
	path := s.write("one.jsonl", tr)
	url := s.open(path)
	_, rev := splitRows(s.getOK(url + "/rows").body)
	since := func(rev string) int { return s.get(url + "/news?since=" + rev).StatusCode }

	if got := since("nonsense!"); got != http.StatusUnprocessableEntity {
		t.Errorf("a revision that is none: status %d, want 422", got)
	}
	if got := since("1.1"); got != http.StatusResetContent {
		t.Errorf("another epoch: status %d, want 205", got)
	}
	tr.label("e1", "here")
	s.append(path, tr)
	if got := since(rev); got != http.StatusResetContent {
		t.Errorf("after a label: status %d, want 205", got)
	}
	_, rev = splitRows(s.getOK(url + "/rows").body)
	tr.chain(defaultWindowRows)
	s.append(path, tr)
	if got := since(rev); got != http.StatusResetContent {
		t.Errorf("after more than a window: status %d, want 205", got)
	}
	tr.user("one more")
	s.append(path, tr)
	if got := s.get(url + "/news?filter=user-only&since=" + rev).StatusCode; got != http.StatusResetContent {
		t.Errorf("a view nobody had: status %d, want 205", got)
	}
}

// BenchmarkChangedRows50000 measures sending an append to the viewers of a session of
// 50,000 entries.
func BenchmarkChangedRows50000(b *testing.B) {
	s := newSite(b)
	tr := newTranscript("big")
	tr.chain(50_000)
	path := s.write("big.jsonl", tr)
	url := s.open(path)
	_, rev := splitRows(s.getOK(url + "/rows").body)
	for b.Loop() {
		b.StopTimer()
		tr.user("more")
		s.append(path, tr)
		b.StartTimer()
		a := s.getOK(url + "/news?since=" + rev)
		b.StopTimer()
		_, rev = splitRows(a.body)
		b.StartTimer()
	}
}
