package web

import (
	"net/url"
	"strings"
	"testing"
)

// Names are shown by default for a whole session, and for a part on request.
func TestShare_Names(t *testing.T) {
	s := newSharing(t)
	k := newShareable(s, "0c0c0c17")
	const on = `id="share-names" name="names" value="1" checked`
	for address, want := range map[string]bool{
		"?part=dialog": true, "?part=dialog&entry=" + k.second: false,
		"?part=dialog&chosen=1&of=all&scope=below&names=1&entry=" + k.second: false,
	} {
		if got := strings.Contains(s.getOK(k.base+"/shares"+address).body, on); got != want {
			t.Errorf("%s: names shown: %v", address, got)
		}
	}
	for _, c := range []struct {
		form url.Values
		want bool
	}{
		{url.Values{}, true},
		{url.Values{"scope": {"below"}, "entry": {k.second}}, false},
		{url.Values{"chosen": {"1"}, "of": {"below"}, "scope": {"below"}, "entry": {k.second}, "names": {"1"}}, true},
		{url.Values{"chosen": {"1"}, "of": {"all"}, "scope": {"all"}}, false},
	} {
		page := s.getOK(s.share(k, c.form)).body
		if got := strings.Contains(page, "<b>atlas</b>"); got != c.want {
			t.Errorf("%v: the project is shown: %v", c.form, got)
		}
	}
	if page := s.getOK(k.base + "/shares?preview=1&chosen=1&scope=all&hold=output&of=all").body; strings.Contains(page, "atlas") {
		t.Error("the preview names the project")
	}
}
