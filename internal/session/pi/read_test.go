package pi

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
	"sessiontree/internal/slowtest"
)

func TestWhen(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		`"2025-03-01T12:00:00.000Z"`:      1740830400000,
		`"2024-02-29T23:59:59.999Z"`:      1709251199999,
		`"2025-02-29T00:00:00.000Z"`:      session.NoTime,
		`"1969-12-31T23:59:59.999Z"`:      -1,
		`"2025-03-01T12:30:00+02:00"`:     1740825000000,
		`"2025-03-01T09:00:00"`:           1740819600000,
		`"2025-03-01 07:00:00"`:           1740812400000,
		`"2025-03-01T12:00:00.000123Z"`:   1740830400000,
		`"2025-03-01"`:                    1740787200000,
		`"2025-03"`:                       1740787200000,
		`"Mar 1, 2025 08:00:00 UTC"`:      1740816000000,
		`"Sat, 01 Mar 2025 08:00:00 GMT"`: 1740816000000,
		`1740826800000`:                   1740826800000,
		`null`:                            0,
		`"bad"`:                           session.NoTime,
		`"2025-03-01T1x:00:00.000Z"`:      session.NoTime,
		`"2025-03-01T10:00:00.00xZ"`:      session.NoTime,
		`1e300`:                           session.NoTime,
		`{}`:                              session.NoTime,
		``:                                session.NoTime,
	} {
		if got := parseTimestamp(value([]byte(text))); got != want {
			t.Errorf("when(%s) = %d, want %d", text, got, want)
		}
	}
}

func TestArg(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ tool, args, want string }{
		{"read", `{"path":"/home/tester/a.txt"}`, "~/a.txt"},
		{"read", `{"path":"/home/tester2/c"}`, "/home/tester2/c"},
		{"read", `{"file_path":"/x","offset":5}`, "/x:5"},
		{"read", `{"path":"d","limit":10}`, "d:1-10"},
		{"read", `{"path":"d","offset":5,"limit":10}`, "d:5-14"},
		{"read", `{"path":"d","offset":"5","limit":null}`, "d"},
		{"read", `{"path":"","file_path":"f"}`, "f"},
		{"read", `{"path":"a","path":"b"}`, "b"},
		{"read", `{"path":7}`, "7"},
		{"read", ``, ""},
		{"write", `{"path":"/home/tester"}`, "~"},
		{"edit", `{}`, ""},
		{"bash", `{"command":"line1\nline2\tx"}`, "line1 line2 x"},
		{"bash", `{"command":"` + strings.Repeat("y", 51) + `"}`, strings.Repeat("y", 50) + "..."},
		{"bash", `{"command":"  ` + strings.Repeat("z", 48) + `  "}`, strings.Repeat("z", 48) + "..."},
		{"bash", `{"command":"` + strings.Repeat("😀", 26) + `"}`, strings.Repeat("😀", 25) + "..."},
		{"grep", `{"pattern":"a.*b"}`, "/a.*b/ in ."},
		{"grep", `{"pattern":0,"path":"/home/tester/src"}`, "// in ~/src"},
		{"find", `{"pattern":"*.go"}`, "*.go in ."},
		{"ls", `{}`, "."},
		{"ls", `{"path":"/home/tester/d"}`, "~/d"},
		{"mytool", `{"alpha":1,"beta":"two","gamma":[1,2,3],"delta":{"x":true}}`, `{"alpha":1,"beta":"two","gamma":[1,2,3],...`},
		{"mytool", `{ "a" : 1.0 }`, `{"a":1}`},
		{"mytool", `{"` + strings.Repeat("k", 34) + `":1}`, `{"` + strings.Repeat("k", 34) + `":1}`},
		{"uni", `{"t":"漢字 \u00e9\"<&>\u2028"}`, "{\"t\":\"漢字 é\\\"<&>\u2028\"}"},
		{"mytool", ``, ""},
	} {
		p := &stringPacker{}
		p.appendArgument(&block{name: value([]byte(`"` + c.tool + `"`)), args: value([]byte(c.args))}, home)
		if got := string(p.buf); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.tool, c.args, got, c.want)
		}
	}
}

func TestCountDiff(t *testing.T) {
	t.Parallel()
	for diff, want := range map[string][2]int32{
		`""`:                           {0, 0},
		`"+ 1 a\n- 1 b\n  2 c\n+ 3 d"`: {2, 1},
		`" a\\n+b\n--c\n\n++"`:         {1, 1},
		`"-a"`:                         {0, 1},
		`5`:                            {0, 0},
	} {
		added, removed := countDiff(value([]byte(diff)))
		if got := [2]int32{added, removed}; got != want {
			t.Errorf("countDiff(%s) = %v, want %v", diff, got, want)
		}
	}
}

func TestFailure(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`out\n\nCommand exited with code 1`:   "exit 1",
		`out\n\nCommand exited with code 127`: "exit 127",
		`Command exited with code `:           "failed",
		`Command timed out after 10 seconds`:  "timed out",
		`Command aborted`:                     "aborted",
		`Operation aborted`:                   "aborted",
		`ENOENT: no such file`:                "failed",
	} {
		r, err := scanLine([]byte(`{"type":"message","id":"r","message":{"role":"toolResult","isError":true,"content":[{"type":"text","text":"`+text+`"}]}}`), home)
		if err != nil || r.Entry.Status() != want {
			t.Errorf("%s: status %q %v, want %q", text, r.Entry.Status(), err, want)
		}
	}
}

func TestVersions(t *testing.T) {
	t.Parallel()
	const entries = "\n" + `{"type":"message","id":"a","parentId":null,"message":{"role":"hookMessage","content":"x"}}` + "\n" + `{"type":"message","message":{"role":"user","content":"y"}}` + "\n"
	for _, c := range []struct {
		header  string
		version int
		role    string // of the first entry
		chained bool   // the second entry, which has no id
	}{
		{`{"type":"session","id":"s"}`, 1, "custom", true},
		{`{"type":"session","id":"s","version":null}`, 1, "custom", true},
		{`{"type":"session","id":"s","version":0}`, 1, "custom", true},
		{`{"type":"session","id":"s","version":2}`, 2, "custom", false},
		{`{"type":"session","id":"s","version":"2"}`, 2, "custom", false},
		{`{"type":"session","id":"s","version":3}`, 3, "hookMessage", false},
		{`{"type":"session","id":"s","version":"x"}`, 3, "hookMessage", false},
		{`{"type":"session","id":"s","version":99}`, 99, "hookMessage", false},
	} {
		d := decode(t, &Format, []byte(c.header+entries))
		if !d.ok || d.header.Version != c.version || len(d.entries) != 2 {
			t.Fatalf("%s: header %+v %v, %d entries", c.header, d.header, d.ok, len(d.entries))
		}
		if got := d.entries[0].Role; got != c.role {
			t.Errorf("%s: role %q, want %q", c.header, got, c.role)
		}
		if newer := c.version > currentVersion; d.header.IsNewerVersion != newer || (len(d.notes) > 0) != newer || newer && d.notes[0].Code != session.NoteNewer {
			t.Errorf("%s: newer %v, notes %v", c.header, d.header.IsNewerVersion, d.notes)
		}
		second := d.entries[1]
		if second.ID != "L3" || second.HasFlag(session.FlagHasParent) != c.chained || c.chained && second.Parent != "a" {
			t.Errorf("%s: second entry %q under %q (%v), chained %v", c.header, second.ID, second.Parent, second.HasFlag(session.FlagHasParent), c.chained)
		}
	}
}

func TestNoSession(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"empty":             "",
		"blank":             "\n \n",
		"no header":         `{"type":"message","id":"a"}` + "\n",
		"header second":     `{"type":"message","id":"a"}` + "\n" + `{"type":"session","id":"s"}` + "\n",
		"header without id": `{"type":"session","version":3}` + "\n",
		"numeric id":        `{"type":"session","id":7}` + "\n",
		"junk":              "hello\n",
		"scalar":            "5\nnull\n[]\n",
	} {
		if Format.Sniff([]byte(text)) || OMP.Sniff([]byte(text)) {
			t.Errorf("%s: taken for a session", name)
		}
		if d := decode(t, &Format, []byte(text)); d.ok || len(d.entries) > 0 {
			t.Errorf("%s: header %v, %d entries", name, d.ok, len(d.entries))
		}
	}
}

func TestSniff(t *testing.T) {
	t.Parallel()
	uuid := `{"type":"session","version":3,"id":"01964f3a-2b1c-7d4e-8f00-0123456789ab"}` + "\n"
	chosen := `{"type":"session","version":3,"id":"V1StGXR8_Z5jdHi6B-myT"}` + "\n"
	for _, c := range []struct{ text, want string }{
		{uuid, "pi"},
		{"\ufeff \n" + uuid, "pi"},
		{"junk\n" + uuid, "pi"},
		{`{"type":"title","v":1,"title":"T"}` + "\n" + uuid, "omp"},
		{strings.Replace(uuid, "{", `{"title":"T",`, 1), "omp"},
		{strings.Replace(uuid, "{", `{"additionalDirectories":[],`, 1), "omp"},
		{chosen, "omp"},
		{chosen + `{"type":"model_change","id":"a","provider":"p","modelId":"m"}`, "pi"},
		{uuid + `{"type":"model_change","id":"a","model":"p/m"}`, "omp"},
		{uuid + `{"type":"session_init","id":"a"}`, "omp"},
		{uuid + `{"type":"message","id":"a","message":{"role":"user","content":"x"}}` + "\n" + `{"type":"session_info","id":"b","name":"n"}`, "pi"},
		{uuid + `{"type":"model_change","id":"a","mod`, "pi"},
	} {
		got := ""
		for name, f := range map[string]*session.Format{"pi": &Format, "omp": &OMP} {
			if f.Sniff([]byte(c.text)) {
				got += name
			}
		}
		if got != c.want {
			t.Errorf("%q is of %q, want %q", c.text, got, c.want)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	header := `{"type":"session","id":"s","title":" In the header "}` + "\n"
	slot := `{"type":"title","v":1,"title":"In the slot"}` + "\n"
	info := `{"type":"session_info","id":"a","name":"\u00a0Named\n"}` + "\n"
	for _, c := range []struct {
		format     *session.Format
		text, want string
	}{
		{&Format, header, ""},
		{&Format, header + info, "Named"},
		{&Format, header + info + `{"type":"session_info","id":"b","name":" "}` + "\n", ""},
		{&Format, header + info + `{"type":"session_info","id":"b"}` + "\n", ""},
		{&OMP, header, "In the header"},
		{&OMP, slot + header, "In the slot"},
		{&OMP, `{"type":"title","v":1,"title":""}` + "\n" + header, ""},
		{&OMP, slot + header + `{"type":"title_change","id":"a","title":"Later"}` + "\n", "In the slot"},
	} {
		if d := decode(t, c.format, []byte(c.text)); d.header.Name != c.want {
			t.Errorf("%s %q: name %q, want %q", c.format.Name, c.text, d.header.Name, c.want)
		}
	}
}

func TestIDs(t *testing.T) {
	t.Parallel()
	text := `{"type":"session","version":3,"id":"s"}
{"type":"message","id":"k\ud800","parentId":null,"message":{"role":"user","content":"half \ud83d pair"}}
{"type":"message","id":"k\ud801","parentId":"k\ud800","message":{"role":"user","content":"other"}}
{"type":"message","id":"","parentId":"","message":{"role":"user","content":"an empty id"}}
{"type":"message","id":0,"parentId":1.50}
{"type":"message","id":true,"parentId":{}}
`
	var got []string
	for _, e := range decode(t, &Format, []byte(text)).entries {
		parent := "-"
		if e.HasFlag(session.FlagHasParent) {
			parent = e.Parent
		}
		got = append(got, e.ID+" < "+parent)
	}
	want := []string{`k\ud800 < -`, `k\ud801 < k\ud800`, " < ", "0 < 1.5", "L6 < -"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ids (-want +got):\n%s", diff)
	}
}

// TestHugeLine checks that a line of tens of megabytes uses no memory beyond its entry.
func TestHugeLine(t *testing.T) {
	slowtest.SkipIfShort(t)
	line := []byte(`{"type":"message","id":"a","message":{"role":"toolResult","toolCallId":"c","content":[{"type":"text","text":"` +
		strings.Repeat(`0123456789\n`, 2<<20) + `"},{"type":"image","data":"` + strings.Repeat("AAAA", 1<<20) + `","mimeType":"image/png"}]}}`)
	r, err := scanLine(line, home)
	if err != nil || len(r.Entry.Preview) != 200 || !r.Entry.HasFlag(session.FlagImages|session.FlagText) {
		t.Fatalf("%v, preview of %d bytes, flags %b", err, len(r.Entry.Preview), r.Entry.Flags)
	}
	perScan := testing.AllocsPerRun(3, func() {
		if _, err := scanLine(line, home); err != nil {
			t.Fatal(err)
		}
	})
	if perScan > 20 {
		t.Errorf("%.0f allocations for one line", perScan)
	}
	b, err := decodeBody(line)
	if err != nil || len(b.Blocks) != 2 || len(b.Blocks[1].Data) != 3<<20 {
		t.Errorf("body: %v, %d blocks", err, len(b.Blocks))
	}
}

func TestBadLines(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"type":"mess`:            "it ends in the middle of a value",
		`[1]`:                      "it is not a JSON object",
		`null`:                     "it is not a JSON object",
		`{"a":1}}`:                 "unexpected byte '}' at offset 7",
		"\u00a0{}":                 `unexpected byte 'Â' at offset 0`,
		`{"a":"x` + "\t\"}":        `unexpected byte '\t' at offset 7`,
		strings.Repeat("[", 10001): "it is nested too deeply",
	} {
		_, err := scanLine([]byte(text), home)
		if err == nil || err.Error() != want {
			t.Errorf("%.20q: %v, want %s", text, err, want)
		}
		if _, err := decodeBody([]byte(text)); err == nil {
			t.Errorf("%.20q: Body took it", text)
		}
	}
}

// TestWhiteLines checks that lines are blank exactly if pi considers them blank.
func TestWhiteLines(t *testing.T) {
	t.Parallel()
	text := "\ufeff\u00a0{\"type\":\"session\",\"id\":\"s\"}\r\n\r\n\u00a0\u2003\n\u00a0{\"id\":\"a\"}\n{\"id\":\"b\"}\u00a0\n{\"id\":\"c\"}"
	d := decode(t, &Format, []byte(text))
	if !d.ok || len(d.entries) != 1 || d.entries[0].ID != "c" || len(d.bad) != 2 {
		t.Errorf("header %v, entries %+v, %d bad lines", d.ok, d.entries, len(d.bad))
	}
	if got := []int32{d.bad[0].Num, d.bad[1].Num, d.entries[0].Span.Line}; !cmp.Equal(got, []int32{4, 5, 6}) {
		t.Errorf("line numbers %v", got)
	}
	for l := range jsonl.Lines([]byte(text)) {
		if l.Torn != (l.Num == 6) {
			t.Errorf("line %d torn: %v", l.Num, l.Torn)
		}
	}
}
