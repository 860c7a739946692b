// @ts-check
// The palette (Ctrl K): commands, entries, labels, sessions and recent places in one ranked
// list. It is also used as a list of labels (G).

import { closestElement, requireElement } from '../dom.js';
import { announce, showToast } from '../notify.js';
import { canSearchAll, searchAllSessions } from '../searchlink.js';
import { isAbortError, rethrowUnexpected } from '../server.js';
import { queryWords } from '../text.js';
import { ChoiceList } from './choicelist.js';
import { createNote, createReason } from './palettelist.js';
import { groupByReason, rankGroups } from './rank.js';
import { countUse, readUses } from './recentplaces.js';
import { renderSteps } from './stepsbar.js';

/** @typedef {import('./rank.js').Command} Command */
/**
 * What a palette offers besides commands. places: recent places. find: choices for a query.
 * fallback: what Enter does if nothing matches.
 * @typedef {{places?: () => Command[], find?: (query: string, signal: AbortSignal) => Promise<{choices: Command[], totals: Record<string, number>}>,
 *   fallback?: {text: string, run: (query: string) => unknown}}} PaletteSources
 */

const INPUT_DELAY = 60; // ms after the last key until the server is asked
const HINT = 'Search or run a command';

export class CommandPalette {
  /** Commands, or fixed choices. @type {Command[]} */
  #commands = [];
  /** What the server found for the query. @type {{choices: Command[], totals: Record<string, number>}} */
  #found = { choices: [], totals: {} };
  #showsDisabled = false;
  /** The choices that are being fetched. @type {Promise<Command[]> | null} */
  #pendingChoices = null;
  /** Returns the current commands. It is null for fixed choices. @type {(() => Command[]) | null} */
  #source = null;
  /** The questions that are being asked. @type {import('./exportsteps.js').ExportSteps | null} */
  #steps = null;
  #request = new AbortController();
  #inputTimer = 0;

  /**
   * @param {(focused: Element | null) => Command[]} commands returns the commands of the page for an element that had the focus
   * @param {PaletteSources} [sources]
   */
  constructor(commands, sources = {}) {
    this.dialog = /** @type {HTMLDialogElement} */ (requireElement('palette'));
    this.input = /** @type {HTMLInputElement} */ (requireElement('palette-input'));
    this.list = new ChoiceList(requireElement('palette-list'), this.input, (choice) => this.#runCommand(choice));
    this.commands = commands;
    this.sources = sources;
    this.input.addEventListener('input', () => this.#handleInput());
    this.dialog.addEventListener('keydown', (event) => this.#handleKey(event));
    this.dialog.addEventListener('close', () => this.#stopFinding());
    requireElement('palette-steps').addEventListener('click', (event) => {
      const button = closestElement(event, '[data-step]');
      if (button) this.#goToStep(Number(button.dataset.step));
    });
    document.addEventListener('click', (event) => {
      if (closestElement(event, '[data-do="palette"]')) this.openCommands();
      else if (closestElement(event, '[data-do="close-dialog"]')) closestElement(event, 'dialog')?.dispatchEvent(new Event('close-asked'));
      else if (event.target instanceof HTMLDialogElement) event.target.close();
    });
    for (const dialog of document.querySelectorAll('dialog')) dialog.addEventListener('close-asked', () => dialog.close());
  }

  /** Whether the palette leads to the search over all sessions. */
  get #searchesAll() { return Boolean(this.sources.find) && canSearchAll(); }

  /** Lists the commands of the page. */
  openCommands() {
    const focused = document.activeElement;
    this.#source = () => this.commands(focused);
    this.#pendingChoices = null;
    this.#openBox(this.#source(), HINT);
  }

  /** Asks the questions of a command. @param {import('./exportsteps.js').ExportSteps} steps */
  openSteps(steps) {
    this.#source = null;
    this.#pendingChoices = null;
    this.#openBox([], steps.hint, steps);
  }

  /**
   * Updates the listed commands after the page changed. The query and the selected command
   * stay.
   */
  refreshCommands() {
    if (!this.dialog.open || !this.#source) return;
    const before = serializeCommands(this.#commands);
    this.#commands = this.#source();
    if (before !== serializeCommands(this.#commands)) this.#listChoices(true); // do not replace a list under the pointer by an equal one
  }

  /**
   * Lets the viewer choose from a list. The box opens at once, so that it receives the keys
   * typed while the list is fetched.
   * @param {Promise<Command[]>} list
   * @param {string} hint
   * @param {string} none the text for no matches
   */
  async openChoices(list, hint, none) {
    this.#source = null;
    this.#pendingChoices = list;
    this.#openBox([], hint);
    this.#showNone('Loading.');
    const wanted = () => this.dialog.open && this.#pendingChoices === list;
    try {
      const commands = await list;
      if (!wanted()) return;
      this.#commands = commands.map((c) => ({ group: '', ...c }));
      this.#listChoices(false);
      if (this.list.isEmpty) this.#showNone(none);
    } catch (err) {
      rethrowUnexpected(err);
      if (!wanted()) return;
      this.dialog.close();
      showToast('The server is not responding.');
    }
  }

  /**
   * @param {Command[]} commands
   * @param {string} hint
   * @param {import('./exportsteps.js').ExportSteps | null} [steps]
   */
  #openBox(commands, hint, steps = null) {
    this.#stopFinding();
    this.#commands = commands;
    this.#steps = steps;
    this.#showsDisabled = false;
    this.input.value = '';
    this.input.placeholder = hint;
    this.dialog.setAttribute('aria-label', hint);
    renderSteps(this.dialog, steps);
    this.#listChoices(false);
    if (!this.dialog.open) this.dialog.showModal();
    if (matchMedia('(pointer: coarse)').matches) this.input.blur();
    else this.input.focus();
  }

  /** @param {number} index */
  #goToStep(index) {
    if (!this.#steps) return;
    this.#steps.goTo(index);
    this.#openBox([], this.#steps.hint, this.#steps);
  }

  #stopFinding() {
    clearTimeout(this.#inputTimer);
    this.#request.abort();
    this.#found = { choices: [], totals: {} };
  }

  #handleInput() {
    clearTimeout(this.#inputTimer);
    this.#request.abort();
    this.#found.choices = this.#found.choices.filter(() => this.input.value.trim() !== '');
    this.#listChoices(false);
    if (this.#source && this.sources.find && this.input.value.trim()) this.#inputTimer = setTimeout(() => this.#fetchFound(), INPUT_DELAY);
  }

  async #fetchFound() {
    const query = this.input.value.trim(), { signal } = this.#request = new AbortController();
    try {
      const found = await this.sources.find?.(query, signal);
      if (!found || signal.aborted || query !== this.input.value.trim()) return;
      this.#found = found;
      this.#listChoices(true);
    } catch (err) {
      if (!isAbortError(err)) announce('The server is not responding.');
    }
  }

  /**
   * Lists what matches the query.
   * @param {boolean} keep whether to keep the selected choice
   */
  #listChoices(keep) {
    const query = this.input.value, words = queryWords(query);
    const places = this.#source ? this.sources.places?.() ?? [] : [];
    const found = this.#found.choices.filter(() => words.length > 0);
    const commands = this.#steps ? this.#steps.choices() : this.#commands;
    const groups = rankGroups([...commands, ...found, ...places], query, { totals: this.#found.totals, uses: this.sources.places ? readUses() : undefined, limited: this.#source !== null });
    const notes = this.#listDisabled(groups, query);
    const isNone = groups.length === 0 && notes.length === 0;
    if (this.#source && this.#searchesAll && words.length && !isNone) groups.push({ name: 'Search', choices: [this.#searchAllChoice(query.trim())], total: 1, score: 0 });
    this.list.show(groups, words, notes, keep);
    this.#showNone(isNone ? this.#noneText() : '');
  }

  /**
   * Returns the line about the commands that are not possible now. If they are shown, it
   * adds them to the groups.
   * @param {import('./rank.js').ChoiceGroup[]} groups
   * @param {string} query
   * @returns {Node[]}
   */
  #listDisabled(groups, query) {
    if (this.#steps) return [createNote(this.#steps.note)];
    const reasons = groupByReason(this.#commands, query);
    if (!reasons.length) return [];
    const rest = reasons.slice(1).flatMap((r) => r.commands);
    if (rest.length) {
      let group = groups.find((g) => g.name === 'Commands');
      if (!group) groups.unshift(group = { name: 'Commands', choices: [], total: 0, score: 0 });
      const shown = this.#showsDisabled ? rest : [{ name: `Show ${rest.length} more that are not available`, icon: 'info', group: 'Commands', run: () => this.#showDisabled(), staysOpen: true }];
      group.choices = [...group.choices, ...shown];
      group.total = Math.max(group.total, group.choices.length);
    }
    return [createReason(reasons[0])];
  }

  #showDisabled() {
    this.#showsDisabled = true;
    this.#listChoices(true);
  }

  /** @param {string} query */
  #searchAllChoice(query) {
    return { name: `Search all sessions for “${query}”`, icon: 'search', keys: ['Ctrl', 'Enter'], group: 'Search', run: () => this.#searchAll() };
  }

  #searchAll() { searchAllSessions(this.input.value); }

  #noneText() {
    const name = `Nothing named “${this.input.value.trim()}”.`;
    if (this.#source && this.#searchesAll) return name + ' Press Enter to search inside all sessions.';
    if (this.#source && this.sources.fallback) return `${name} ${this.sources.fallback.text}`;
    return this.#source || this.#steps ? name : requireElement('palette-none').textContent ?? '';
  }

  /** @param {string} text */
  #showNone(text) {
    const none = requireElement('palette-none');
    none.hidden = text === '';
    if (text) none.textContent = text;
  }

  /** @param {KeyboardEvent} event */
  #handleKey(event) {
    if (event.isComposing || event.target !== this.input) return;
    const run = this.#findKey(event);
    if (!run) return;
    event.preventDefault();
    run();
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {(() => unknown) | undefined}
   */
  #findKey(event) {
    if (event.key === 'Enter') return () => (this.list.selected ? this.#runCommand(this.list.selected) : this.#runFallback());
    if (event.key === 'Backspace' && this.#steps && !this.input.value) return () => this.#stepBack();
    if (this.list.isEmpty) return;
    if (event.key === 'ArrowDown') return () => this.list.moveBy(1);
    if (event.key === 'ArrowUp') return () => this.list.moveBy(-1);
    if (event.key === 'Tab' && !this.#steps) return () => this.list.moveToGroup(event.shiftKey ? -1 : 1);
  }

  #runFallback() {
    const query = this.input.value.trim();
    if (!query || !this.#source) return;
    if (this.#searchesAll) return this.#searchAll();
    if (!this.sources.fallback) return;
    this.dialog.close();
    this.sources.fallback.run(query);
  }

  #stepBack() {
    if (this.#steps && this.#steps.index > 0) this.#goToStep(this.#steps.index - 1);
    else this.openCommands();
  }

  /** @param {Command} command */
  #runCommand(command) {
    if (command.disabledReason) return announce(command.disabledReason);
    if (command.staysOpen) return command.run();
    if (this.#steps) return this.#answerStep(command, this.#steps);
    if (this.#source && this.sources.places && (command.group ?? 'Commands') === 'Commands') countUse(command.name);
    if (command.steps) return this.openSteps(command.steps());
    this.dialog.close();
    command.run();
  }

  /**
   * @param {Command} command
   * @param {import('./exportsteps.js').ExportSteps} steps
   */
  #answerStep(command, steps) {
    command.run();
    if (!steps.isDone) return this.#openBox([], steps.hint, steps);
    this.dialog.close();
    steps.finish();
  }
}

/**
 * Returns the visible content of a list, for comparison.
 * @param {Command[]} commands
 */
const serializeCommands = (commands) => JSON.stringify(commands.map(({ name, icon, keys, disabledReason }) => [name, icon, keys, disabledReason]));
