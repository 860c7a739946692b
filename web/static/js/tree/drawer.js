// @ts-check
// On a phone the tree is a drawer over the path. While it is open, the rest of the page is
// inert. Closing it returns the focus to the button that opened it.

import { closestElement, findAll, narrow, requireElement } from '../dom.js';

/** @param {boolean} open */
export function setDrawer(open) {
  if (open ? !narrow.matches : !isDrawerOpen()) return;
  if (open) document.documentElement.dataset.drawer = 'open';
  else delete document.documentElement.dataset.drawer;
  for (const el of findAll('[data-do="drawer"]')) el.setAttribute('aria-expanded', String(open));
  for (const el of findAll('.topbar, .main-wrap, .bottom-bar')) el.inert = open;
  if (open) document.dispatchEvent(new CustomEvent('drawer-opened'));
  else document.querySelector('.bottom-bar [data-do="drawer"]')?.dispatchEvent(new CustomEvent('return-focus', { bubbles: true }));
}

export const isDrawerOpen = () => document.documentElement.dataset.drawer === 'open';

export function startDrawer() {
  if (new URLSearchParams(location.search).has('drawer')) setDrawer(true);
  document.addEventListener('click', (event) => {
    if (closestElement(event, '[data-do="drawer"]')) setDrawer(!isDrawerOpen());
    if (closestElement(event, '[data-do="close-drawer"]')) setDrawer(false);
  });
  document.addEventListener('return-focus', (event) => { if (event.target instanceof HTMLElement) event.target.focus(); });
  document.addEventListener('viewing', () => setDrawer(false));
  narrow.addEventListener('change', () => setDrawer(false));
  requireElement('side').addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && isDrawerOpen() && !event.defaultPrevented) {
      event.preventDefault();
      setDrawer(false);
    }
  });
}
