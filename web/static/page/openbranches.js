// @ts-check
// Branches that the reader opened or closed, as addresses list them: ids with commas
// between, "-" before one that is closed. Ids are escaped once more.

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
    } catch { /* was written by hand */ }
  }
  return open;
}

/**
 * The list with a branch set to open or closed, or with null as it is by default.
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
