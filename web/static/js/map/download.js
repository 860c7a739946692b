// @ts-check
// The picture of a map as a file of its own, with the colours of the page.

import { requireElement } from '../dom.js';

const STYLES = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linejoin', 'paint-order', 'opacity', 'font-family', 'font-size', 'font-weight', 'text-anchor'];

/** Saves the shown map as an SVG file. */
export function downloadMap() {
  const picture = /** @type {SVGSVGElement} */ (requireElement('mapscroll').querySelector('svg'));
  const copy = /** @type {SVGSVGElement} */ (picture.cloneNode(true)), from = picture.querySelectorAll('*'), to = copy.querySelectorAll('*');
  for (const [i, el] of [...from].entries()) copyStyles(el, to[i]);
  copy.prepend(backgroundOf(requireElement('mapscroll')));
  for (const el of copy.querySelectorAll('.map-target')) el.remove();
  for (const link of copy.querySelectorAll('a')) link.replaceWith(...link.childNodes); // its address is of this server
  const url = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], { type: 'image/svg+xml' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: fileName() });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url));
}

/**
 * Returns the background of an element as part of a picture.
 * @param {Element} el
 */
function backgroundOf(el) {
  const rect = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  for (const [name, value] of Object.entries({ width: '100%', height: '100%', fill: getComputedStyle(el).backgroundColor })) rect.setAttribute(name, value);
  return rect;
}

/**
 * Writes the styles of an element into its copy, which has no style sheet.
 * @param {Element} el
 * @param {Element} copy
 */
function copyStyles(el, copy) {
  const styles = getComputedStyle(el);
  for (const name of STYLES) copy.setAttribute(name, styles.getPropertyValue(name));
  for (const name of ['class', 'tabindex', 'role']) copy.removeAttribute(name);
}

/** Returns the name of the session with what is allowed in names of files. */
function fileName() {
  const name = document.querySelector('[data-map-session]')?.textContent ?? '';
  return (name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '').slice(0, 60) || 'session') + '-map.svg';
}
