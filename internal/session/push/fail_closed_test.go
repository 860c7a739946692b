package push_test

import (
	"errors"
	"strings"
	"testing"
)

// brokenRedactor cannot search lines and reports that.
type brokenRedactor struct{}

func (brokenRedactor) RedactText(text string, _ map[string]bool) (string, map[string]int) {
	return text, nil
}

func (brokenRedactor) RedactJSON(line []byte, _ map[string]bool) ([]byte, bool, map[string]int, error) {
	return line, false, nil, errors.New("no rules")
}

// Lines in which secrets cannot be searched are not pushed, however valid they are.
func TestPushAll_RedactorFails(t *testing.T) {
	h := newHub(t)
	l := newLaptop(t, h.enroll("atlas"))
	l.redactor = brokenRedactor{}
	f := newSession("s1", "/home/dev/atlas", 1)
	f.AddPrompt("The password is correct horse")
	l.write("--atlas--/s1.jsonl", f.Bytes())
	r := pushAll(t, l)
	if r.Files == 0 {
		t.Fatalf("nothing was pushed: %+v", r)
	}
	for path, text := range h.newest() {
		if strings.Contains(text, "correct horse") || strings.Contains(text, "/home/dev/atlas") {
			t.Errorf("%s is on the hub: %s", path, text)
		}
	}
}
