//go:build e2e

package harness

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

// A click that would hit another element because the page has moved is repeated at the
// new position.
func TestClick_ElementMoves(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `<!doctype html><title>t</title><link rel="icon" href="data:,"><style>button { position: absolute; left: 0; width: 99px; height: 40px } #other { top: 0 }</style>
<button id="moves" style="top: 0">moves</button><button id="other" hidden>other</button>
<script>
let pressed = [];
for (const b of document.querySelectorAll("button")) b.onclick = () => pressed.push(b.id);
const listen = addEventListener;
window.addEventListener = (...how) => { // as Click does once it has taken aim
  listen(...how);
  moves.style.top = "300px";
  other.hidden = false;
};
</script>`)
	}))
	defer site.Close()
	browser := NewBrowser(t)
	defer browser.Close()
	p := browser.NewPage(t)
	p.Open(site.URL)
	p.Click("#moves")
	if got := EvalScript[string](p, `pressed.join()`); got != "moves" {
		t.Errorf("pressed %q", got)
	}
}
