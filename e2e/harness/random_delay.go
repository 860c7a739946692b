package harness

import "os"

// randomDelayScript delays what a page fetches and what comes over its socket by random
// times. What a test does too early then shows, whatever machine it runs on.
const randomDelayScript = `{
  const pause = (most) => new Promise((done) => setTimeout(done, Math.random() * most));
  const { fetch, WebSocket } = window;
  window.fetch = async (url, options) => {
    const response = await fetch(url, options);
    await pause(600);
    options?.signal?.throwIfAborted();
    return response;
  };
  window.WebSocket = class extends WebSocket {
    #last = Promise.resolve();
    #listener = null;
    get onmessage() { return this.#listener; }
    set onmessage(listener) {
      this.#listener = listener;
      super.onmessage = (event) => { this.#last = this.#last.then(() => pause(200)).then(() => { listener(event); }); };
    }
  };
}`

// addRandomDelay makes the page a slow one if SLOW is set.
func (p *Page) addRandomDelay() {
	p.t.Helper()
	if os.Getenv("SLOW") != "" {
		p.AddInitScript(randomDelayScript)
	}
}
