// @ts-check
// The arrow keys on a map: to the next branch in a direction.

/**
 * Returns the nearest branch in the direction of an arrow key, or null.
 * @param {Element} from
 * @param {string} key
 * @returns {Element | null}
 */
export function nextBranch(from, key) {
  const at = placeOf(from), horizontal = key === 'ArrowLeft' || key === 'ArrowRight', sign = key === 'ArrowLeft' || key === 'ArrowUp' ? -1 : 1;
  let best = null, least = Infinity;
  for (const branch of document.querySelectorAll('.map-branch')) {
    if (branch === from) continue;
    const to = placeOf(branch), ahead = sign * (horizontal ? to.x - at.x : to.y - at.y), aside = Math.abs(horizontal ? to.y - at.y : to.x - at.x);
    const distance = ahead + 2 * aside;
    if (ahead > 0 && distance < least) [best, least] = [branch, distance];
  }
  return best;
}

/** @param {Element} branch */
const placeOf = (branch) => ({ x: Number(branch.getAttribute('data-x')), y: Number(branch.getAttribute('data-y')) });
