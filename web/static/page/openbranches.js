// @ts-check
// The list of opened and closed branches in an address: ids separated by commas, "-" before
// a closed one. Ids in the list are escaped once more.

/**
 * @param {string} list
 * @returns {Map<string, boolean>}
 */
export function parseOpenBranches(list) {
  const open = new Map();
  for (const item of list.split(',')) {
    const id = item.replace(/^-/, '');
    try {
      if (id) open.set(decodeURIComponent(id.replaceAll('+', ' ')), id === item);
    } catch { /* ignore ids with an invalid escape */ }
  }
  return open;
}

/**
 * Returns the list with a branch set to open or closed, or to its default with null.
 * @param {Map<string, boolean>} open
 * @param {string[]} ids
 * @param {boolean | null} to
 */
export function formatOpenBranches(open, ids, to) {
  const all = new Map(open);
  for (const id of ids) all.delete(id);
  if (to !== null) all.set(ids[0], to);
  return [...all].map(([id, on]) => (on ? '' : '-') + encodeURIComponent(id).replace(/^-/, '%2D')).join(',');
}
