package redact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJSON(t *testing.T) {
	key := "sk-ant-" + "api03-" + made(letter, 93) + "AA"
	spelled := ""
	for _, b := range []byte(key) {
		spelled += fmt.Sprintf(`\u%04x`, b)
	}
	blob := strings.Repeat(made(letter, 64), 40)
	const mask = "[redacted: anthropic key]"
	for _, c := range []struct{ name, line, want string }{
		{"plain", `{"a" : "x ` + key + `", "n":1.50, "b":[true,null]}`, `{"a" : "x ` + mask + `", "n":1.50, "b":[true,null]}`},
		{"spelled in escapes", `{"a":"` + spelled + `"}`, `{"a":"` + mask + `"}`},
		{"slashes", `{"a":"\/home\/dana.w\/x\n","b":"\/"}`, `{"a":"~/x\n","b":"\/"}`},
		{"key", `{"` + key + `":1,"b":2}`, `{"` + mask + `":1,"b":2}`},
		{"in a key of a path", `{"files":{"/home/dana.w/a":{"x":"\u0041"}}}`, `{"files":{"~/a":{"x":"\u0041"}}}`},
		{"signature last", `{"thinking":"kestrel","thinkingSignature":"abc"}`, `{"thinking":"host"}`},
		{"signature first", `{"signature": "abc" , "thinking":"kestrel"}`, `{"thinking":"host"}`},
		{"signature between", `{"a":1, "signature":"abc", "thinking":"kestrel"}`, `{"a":1, "thinking":"host"}`},
		{"two first", `{"signature":"a","textSignature":"b","t":"kestrel"}`, `{"t":"host"}`},
		{"two around", `{"signature":"a","t":"kestrel","textSignature":"b"}`, `{"t":"host"}`},
		{"two last", `{"t":"kestrel","signature":"a","textSignature":{"id":"b kestrel"}}`, `{"t":"host"}`},
		{"nothing else", `[{"signature":"kestrel","textSignature":"b"},1]`, `[{},1]`},
		{"around", `{"thoughtSignature":"s","args":{"path":["kestrel"]}}`, `{"args":{"path":["host"]}}`},
		{"beside", `[{"t":"kestrel","signature":"a"},{"t":"x","signature":"b"}]`, `[{"t":"host"},{"t":"x","signature":"b"}]`},
		{"unchanged", ` {"t":"x\u0041","signature":"a"} `, ` {"t":"x\u0041","signature":"a"} `},
		{"image", `{"type":"image","data":"` + blob + `==","mimeType":"kestrel"}`, `{"type":"image","data":"` + blob + `==","mimeType":"host"}`},
		{"image address", `{"url":"data:image/png;base64,` + blob + `"}`, `{"url":"data:image/png;base64,` + blob + `"}`},
		{"text named data", `{"data":"kestrel ` + blob + `"}`, `{"data":"host ` + blob + `"}`},
		{"a string", `"kestrel"`, `"host"`},
		{"JSON in a string", `{"a":"{\"t\":\"kestr\\u0065l\",\"signature\":\"s\",\"n\":1.0}"}`, `{"a":"{\"t\":\"host\",\"n\":1.0}"}`},
		{"nearly JSON in a string", `{"a":"{kestrel}"}`, `{"a":"{host}"}`},
		{"quotes", `{"a\"\\":"\\\"kestrel\\","b":"\\"}`, `{"a\"\\":"\\\"host\\","b":"\\"}`},
		{"surrogates", `{"a":"\ud83d\ude00 kestrel","b":"\ud800"}`, `{"a":"😀 host","b":"\ud800"}`},
	} {
		out, changed, counts, err := dana.RedactJSON([]byte(c.line), both)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if diff := cmp.Diff(c.want, string(out)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		if want := c.want != c.line; changed != want || (counts != nil) != want {
			t.Errorf("%s: changed = %v, counts = %v", c.name, changed, counts)
		}
	}
}

func TestJSONClasses(t *testing.T) {
	line := `{"a":"` + "ghp" + "_" + made(letter, 36) + ` on kestrel"}`
	for class, want := range map[string]map[string]int{ClassKeys: {"github token": 1}, ClassPersonal: {"host name": 1}, "": nil} {
		_, _, counts, err := dana.RedactJSON([]byte(line), map[string]bool{class: true})
		if diff := cmp.Diff(want, counts); diff != "" || err != nil {
			t.Errorf("%q: %v %s", class, err, diff)
		}
	}
}

func TestJSONRefuses(t *testing.T) {
	for _, line := range []string{``, `{"a":"kestrel"`, `{"a":"kestrel"} x`, `{'a':1}`} {
		if out, changed, _, err := dana.RedactJSON([]byte(line), both); err == nil || changed || out != nil {
			t.Errorf("%q: %q, %v", line, out, err)
		}
	}
}

func TestJSONDeep(t *testing.T) {
	const deep = 4_000
	line := strings.Repeat(`[{"k":`, deep) + `"kestrel"` + strings.Repeat(`}]`, deep)
	out, _, _, err := dana.RedactJSON([]byte(line), both)
	if want := strings.Replace(line, "kestrel", "host", 1); err != nil || string(out) != want {
		t.Fatalf("%d bytes, %v", len(out), err)
	}
}

// FuzzJSON checks that the result is JSON, that no string in it holds what was found, that a line
// without findings keeps every byte, and that redacting again changes nothing.
func FuzzJSON(f *testing.F) {
	for _, p := range plantedSecrets() {
		text, _ := json.Marshal(p.before + p.secret + p.after)
		f.Add([]byte(`{"signature":"s","a":[` + string(text) + `],` + string(text) + `:1}`))
	}
	f.Add([]byte(`{"signature":"a","textSignature":["kestrel"],"b":{"signature":1},"t":"kestr\u0065l"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		before := bytes.Clone(line)
		out, changed, _, err := dana.RedactJSON(line, both)
		if !bytes.Equal(before, line) {
			t.Fatal("the line itself is changed")
		}
		if valid := json.Valid(line); (err == nil) != valid {
			t.Fatalf("%v, valid = %v", err, valid)
		}
		if err != nil {
			return
		}
		if !json.Valid(out) || changed == bytes.Equal(out, line) {
			t.Fatalf("changed = %v: %q becomes %q", changed, line, out)
		}
		if again, more, _, err := dana.RedactJSON(out, both); more || err != nil {
			t.Fatalf("%q becomes %q, then %q (%v)", line, out, again, err)
		}
	})
}
