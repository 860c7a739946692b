// @ts-check
// Updates a long list in place. Unchanged rows are not touched, rows move to their new
// places, and a changed row keeps its link and with it the focus. A general morph of a
// thousand rows is too slow.

/**
 * Returns the elements by keys that identify them in the old and the new list. Elements without
 * an id have their number among those of their kind.
 * @param {Element} parent
 * @returns {[string, Element][]}
 */
function keyedChildren(parent) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  return [...parent.children].map((el) => {
    const kind = el.id || el.localName + '.' + el.className;
    const n = seen.get(kind) ?? 0;
    seen.set(kind, n + 1);
    return [kind + ' ' + n, el];
  });
}

/**
 * Updates the children of an element to match those of another.
 * @param {Element} old
 * @param {Element} now
 */
export function updateChildren(old, now) {
  const have = new Map(keyedChildren(old));
  let next = old.firstElementChild;
  for (const [key, el] of keyedChildren(now)) {
    const here = have.get(key);
    have.delete(key);
    if (here) updateElement(here, el);
    const to = here ?? el;
    if (to === next) next = next.nextElementSibling;
    else old.insertBefore(to, next);
  }
  for (const el of have.values()) el.remove();
}

/**
 * Appends the groups and rows of the next part of a list.
 * @param {Element} old
 * @param {Element} now
 */
export function appendGroups(old, now) {
  const more = old.querySelector('#more-sessions');
  for (const group of now.querySelectorAll('.group')) {
    const here = document.getElementById(group.id);
    const list = here?.querySelector('ul');
    if (!here || !list) {
      old.insertBefore(group, more);
      continue;
    }
    list.append(...[...group.querySelectorAll('li[data-content-hash]')].filter((li) => !document.getElementById(li.id)));
    const folded = group.querySelector('.folded');
    if (folded && !document.getElementById(folded.id)) here.append(folded);
  }
  const further = now.querySelector('#more-sessions');
  if (more && further) updateElement(more, further);
  else more?.remove();
}

/**
 * @param {Element} old
 * @param {Element} now
 */
function updateElement(old, now) {
  const version = now.getAttribute('data-content-hash');
  if (version !== null && old.getAttribute('data-content-hash') === version) return;
  copyAttributes(old, now);
  if (now.matches('.group, ul, .filters, .choice, .choice > .menu, .segments')) updateChildren(old, now);
  else if (version !== null) morphContent(old, now);
  else if (old.innerHTML !== now.innerHTML) old.replaceChildren(...now.childNodes);
}

/**
 * Makes the content of an element that of another. Elements in the same place stay, and
 * with them the focus.
 * @param {Element} old
 * @param {Element} now
 */
function morphContent(old, now) {
  const have = [...old.childNodes], wanted = [...now.childNodes];
  wanted.forEach((node, i) => {
    const here = have[i];
    if (!here) old.append(node);
    else if (!(here instanceof Element) || !(node instanceof Element) || here.localName !== node.localName) here.replaceWith(node);
    else if (!here.isEqualNode(node)) {
      copyAttributes(here, node);
      morphContent(here, node);
    }
  });
  for (const node of have.slice(wanted.length)) node.remove();
}

/**
 * @param {Element} old
 * @param {Element} now
 */
export function copyAttributes(old, now) {
  for (const { name } of [...old.attributes]) if (!now.hasAttribute(name) && name !== 'open') old.removeAttribute(name);
  for (const { name, value } of now.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
}
