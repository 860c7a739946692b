// @ts-check
// On a phone the tree is a drawer over the path. While it is open the rest of the
// page is inert; closing gives the focus back to the button that opened it.

import { all, closest, need } from '../dom.js';

const narrow = matchMedia('(max-width: 760px)');

/** @param {boolean} open */
export function setDrawer(open) {
  if (open && !narrow.matches) return;
  const was = isOpen();
  if (open) document.documentElement.dataset.drawer = 'open';
  else delete document.documentElement.dataset.drawer;
  for (const el of all('[data-do="drawer"]')) el.setAttribute('aria-expanded', String(open));
  for (const el of all('.topbar, .main-wrap, .botbar')) el.inert = open;
  if (open) document.dispatchEvent(new CustomEvent('drawer-opened'));
  else if (was) document.querySelector('.botbar [data-do="drawer"]')?.dispatchEvent(new CustomEvent('return-focus', { bubbles: true }));
}

export const isOpen = () => document.documentElement.dataset.drawer === 'open';

export function startDrawer() {
  if (new URLSearchParams(location.search).has('drawer')) setDrawer(true);
  document.addEventListener('click', (event) => {
    if (closest(event, '[data-do="drawer"]')) setDrawer(!isOpen());
    if (closest(event, '[data-do="close-drawer"]')) setDrawer(false);
  });
  document.addEventListener('return-focus', (event) => { if (event.target instanceof HTMLElement) event.target.focus(); });
  document.addEventListener('viewing', () => setDrawer(false));
  narrow.addEventListener('change', () => setDrawer(false));
  need('side').addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && isOpen() && !event.defaultPrevented) {
      event.preventDefault();
      setDrawer(false);
    }
  });
}
