package harness

import "os"

// randomDelayScript delays fetches and socket messages of a page by random times, so that
// tests that act too early fail on every machine.
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

// addRandomDelay adds random delays to the page if SLOW is set.
func (p *Page) addRandomDelay() {
	p.t.Helper()
	if os.Getenv("SLOW") != "" {
		p.AddInitScript(randomDelayScript)
	}
}
