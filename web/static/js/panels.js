// @ts-check
// The panels of a session: branches, context and map. Their scripts and styles are loaded when
// one is first opened.

import { closestElement } from './dom.js';
import { LazyFeature, loadPanelStyles } from './lazyfeature.js';
import { wide } from './sidepanel.js';

/**
 * A panel that is loaded when it is first opened.
 * @template {{isOpen: boolean, close: () => void}} P
 * @extends {LazyFeature<P>}
 */
export class LazyPanel extends LazyFeature {
  /**
   * @param {() => Promise<P>} load
   * @param {string} selector matches the links that open the panel
   * @param {(panel: P, link: HTMLElement) => unknown} open
   * @param {boolean} [needsRoom] whether a narrow window shows a page in place of the panel
   */
  constructor(load, selector, open, needsRoom = false) {
    super(async () => (await Promise.all([load(), loadPanelStyles()]))[0]);
    document.addEventListener('click', (event) => {
      if (this.loaded || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || needsRoom && !wide.matches) return; // a panel that is loaded has its own listener
      const link = closestElement(event, selector);
      if (!link) return;
      event.preventDefault();
      this.use((panel) => open(panel, link));
    });
  }

  get isOpen() { return this.loaded?.isOpen ?? false; }

  close() { this.loaded?.close(); }
}

/**
 * Starts the panels.
 * @param {import('./session.js').SessionPage} session
 */
export function startPanels(session) {
  const branchPanel = startBranchPanel(session);
  const contextPanel = new LazyPanel(
    async () => new (await import('./context/contextpanel.js')).ContextPanel(session),
    'a[data-context]', (panel, link) => panel.show(/** @type {HTMLAnchorElement} */ (link).href), true,
  );
  const mapPanel = new LazyPanel(
    async () => new (await import('./map/mappanel.js')).MapPanel(session),
    'a[data-map-panel]', (panel) => panel.toggle(), true,
  );
  return { branchPanel, contextPanel, mapPanel };
}

/**
 * Starts the list of branches. Going back may lead to it.
 * @param {import('./session.js').SessionPage} session
 */
function startBranchPanel(session) {
  const branchPanel = new LazyPanel(
    async () => new (await import('./branches/branchpanel.js')).BranchPanel(session),
    '[data-do="branches"]', (panel) => panel.open(),
  );
  addEventListener('popstate', () => {
    if (!branchPanel.loaded && location.pathname.endsWith('/branches')) branchPanel.use((panel) => panel.followAddress());
  });
  return branchPanel;
}
