// @ts-check
// The branches of an HTML export in the list of hits: the path to the leaf, and what
// leaves it.

const MAX_TITLE = 80; // characters

export class ExportedBranches {
  /** @type {Map<number, string>} */
  #ids = new Map();

  /** @param {import('./entrytree.js').EntryTree} entryTree */
  constructor(entryTree) {
    this.entryTree = entryTree;
    this.path = entryTree.pathTo(entryTree.leaf);
  }

  /**
   * Returns the id of the branch of an entry: that of its first entry, "" for the path to
   * the leaf.
   * @param {number} pos
   */
  idOf(pos) {
    const { parent, ids } = this.entryTree, passed = [];
    let at = pos, id = '';
    for (; at >= 0 && !this.path.has(at); at = parent[at]) {
      const known = this.#ids.get(at);
      if (known !== undefined) { id = known; break; }
      passed.push(at);
      id = ids[at];
    }
    for (const p of passed) this.#ids.set(p, id);
    return id;
  }

  /**
   * Describes branches.
   * @param {Set<string>} wanted
   * @param {(entry: string) => string} textOf
   */
  list(wanted, textOf) {
    return [...wanted].map((id) => (id === '' ? { id, kind: 'path' }
      : { id, kind: 'abandoned', title: textOf(id).replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE), time: this.entryTree.findPosition(id) }));
  }
}
