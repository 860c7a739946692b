// @ts-check
// The palette (Ctrl K): commands, entries, labels, sessions and recent places in one ranked
// list. It is also used as a list of labels (G).

import { closestElement, requireElement } from '../dom.js';
import { announce, showToast } from '../notify.js';
import { canSearchAll, searchAllSessions } from '../searchlink.js';
import { rethrowUnexpected } from '../server.js';
import { queryWords } from '../text.js';
import { ChoiceList } from './choicelist.js';
import { ChoiceFinder } from './finder.js';
import { createNote, createReason, serializeCommands } from './palettelist.js';
import { addDisabled, rankGroups } from './rank.js';
import { countUse, readUses } from './recentplaces.js';
import { renderSteps } from './stepsbar.js';

/** @typedef {import('./rank.js').Command} Command */

const HINT = 'Search or run a command';

export class CommandPalette {
  /** Commands, or fixed choices. @type {Command[]} */
  #commands = [];
  #showsDisabled = false;
  /** The choices that are being fetched. @type {Promise<Command[]> | null} */
  #pendingChoices = null;
  /** Returns the current commands. It is null for fixed choices. @type {(() => Command[]) | null} */
  #source = null;
  /** The questions that are being asked. @type {import('./exportsteps.js').ExportSteps | null} */
  #steps = null;

  /**
   * @param {(focused: Element | null) => Command[]} commands returns the commands of the page for an element that had the focus
   * @param {import('./sources.js').PaletteSources} [sources]
   */
  constructor(commands, sources = {}) {
    this.dialog = /** @type {HTMLDialogElement} */ (requireElement('palette'));
    this.input = /** @type {HTMLInputElement} */ (requireElement('palette-input'));
    this.list = new ChoiceList(requireElement('palette-list'), this.input, (choice) => this.#runCommand(choice));
    this.commands = commands;
    this.sources = sources;
    this.finder = new ChoiceFinder(sources.find, () => this.#listChoices(true));
    this.input.addEventListener('input', () => this.#handleInput());
    this.dialog.addEventListener('keydown', (event) => this.#handleKey(event));
    this.dialog.addEventListener('close', () => this.finder.stop());
    requireElement('palette-steps').addEventListener('click', (event) => {
      const button = closestElement(event, '[data-step]');
      if (button) this.#goToStep(Number(button.dataset.step));
    });
    document.addEventListener('click', (event) => {
      if (closestElement(event, '[data-do="palette"]')) this.openCommands();
      else if (closestElement(event, '[data-do="close-dialog"]')) /** @type {HTMLDialogElement | null} */ (closestElement(event, 'dialog'))?.close();
      else if (event.target instanceof HTMLDialogElement) event.target.close();
    });
  }

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
    this.finder.stop();
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

  #handleInput() {
    this.finder.findSoon(this.#source ? this.input.value.trim() : '');
    this.#listChoices(false);
  }

  /**
   * Lists what matches the query.
   * @param {boolean} keep whether to keep the selected choice
   */
  #listChoices(keep) {
    const query = this.input.value, words = queryWords(query);
    const places = this.#source ? this.sources.places?.() ?? [] : [];
    const { found } = this.finder;
    const commands = this.#steps ? this.#steps.choices() : this.#commands;
    const groups = rankGroups([...commands, ...found.choices, ...places], query, { totals: found.totals, uses: this.sources.places ? readUses() : undefined, limited: this.#source !== null });
    const notes = this.#createNotes(groups, query);
    const isNone = groups.length === 0 && notes.length === 0;
    if (this.#source && canSearchAll() && words.length && !isNone) groups.push({ name: 'Search', choices: [this.#searchAllChoice(query.trim())], total: 1, score: 0 });
    this.list.show(groups, words, notes, keep);
    this.#showNone(isNone ? this.#noneText() : '');
  }

  /**
   * Returns the line about a question, or about the commands that are not possible now.
   * @param {import('./rank.js').ChoiceGroup[]} groups gets the other such commands
   * @param {string} query
   * @returns {Node[]}
   */
  #createNotes(groups, query) {
    if (this.#steps) return [createNote(this.#steps.note)];
    const show = () => {
      this.#showsDisabled = true;
      this.#listChoices(true);
    };
    const reason = addDisabled(groups, this.#commands, query, this.#showsDisabled ? null : show);
    return reason ? [createReason(reason)] : [];
  }

  /** @param {string} query */
  #searchAllChoice(query) {
    return { name: `Search all sessions for “${query}”`, icon: 'search', keys: ['Ctrl', 'Enter'], group: 'Search', run: () => searchAllSessions(query) };
  }

  #noneText() {
    const name = `Nothing named “${this.input.value.trim()}”.`;
    if (this.#source && canSearchAll()) return name + ' Press Enter to search inside all sessions.';
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
    if (canSearchAll()) return searchAllSessions(query);
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
