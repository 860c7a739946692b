// @ts-check
// The command palette (Ctrl K), also used as a list of labels (G).

import { closestElement, requireElement } from '../dom.js';
import { announce, showToast } from '../notify.js';
import { rethrowUnexpected } from '../server.js';

/** @typedef {{name: string, icon: string, keys?: string[], disabledReason?: string, run: () => unknown}} Command disabledReason: why it is not possible now */

export class CommandPalette {
  /** @type {Command[]} */
  #commands = [];
  /** @type {Command[]} */
  #matches = [];
  #selected = 0;
  /** The choices that are being fetched. @type {Promise<Command[]> | null} */
  #pendingChoices = null;
  /** Returns the current commands. It is null for fixed choices. @type {(() => Command[]) | null} */
  #source = null;

  /**
   * @param {(focused: Element | null) => Command[]} commands returns the commands of the page for an element that had the focus
   */
  constructor(commands) {
    this.dialog = /** @type {HTMLDialogElement} */ (requireElement('palette'));
    this.input = /** @type {HTMLInputElement} */ (requireElement('palette-input'));
    this.list = requireElement('palette-list');
    this.commands = commands;
    this.input.addEventListener('input', () => this.#filterCommands());
    this.dialog.addEventListener('keydown', (event) => this.#handleKey(event));
    this.list.addEventListener('click', (event) => {
      const option = closestElement(event, '[role="option"]');
      if (option) this.#runCommand(Number(option.dataset.n));
    });
    document.addEventListener('click', (event) => {
      if (closestElement(event, '[data-do="palette"]')) this.openCommands();
      else if (closestElement(event, '[data-do="close-dialog"]')) closestElement(event, 'dialog')?.dispatchEvent(new Event('close-asked'));
      else if (event.target instanceof HTMLDialogElement) event.target.close();
    });
    for (const dialog of document.querySelectorAll('dialog')) dialog.addEventListener('close-asked', () => dialog.close());
  }

  /** Lists the commands of the page. */
  openCommands() {
    const focused = document.activeElement;
    this.#source = () => this.commands(focused);
    this.#pendingChoices = null;
    this.#openBox(this.#source(), 'Run a command', 'No such command.');
  }

  /**
   * Updates the listed commands after the page changed. The query and the selected command
   * stay.
   */
  refreshCommands() {
    if (!this.dialog.open || !this.#source) return;
    const listed = this.#matches, selected = listed[this.#selected]?.name;
    this.#commands = this.#source();
    this.#matchCommands();
    if (serializeCommands(listed) === serializeCommands(this.#matches)) return; // do not replace a list under the pointer by an equal one
    this.#selected = Math.max(0, this.#matches.findIndex((c) => c.name === selected));
    this.#renderOptions();
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
    this.#openBox([], hint, 'Loading.');
    const wanted = () => this.dialog.open && this.#pendingChoices === list;
    try {
      const commands = await list;
      if (!wanted()) return;
      this.#commands = commands;
      requireElement('palette-none').textContent = none;
      this.#filterCommands();
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
   * @param {string} none
   */
  #openBox(commands, hint, none) {
    this.#commands = commands;
    this.input.value = '';
    this.input.placeholder = hint;
    this.dialog.setAttribute('aria-label', hint);
    requireElement('palette-none').textContent = none;
    this.#filterCommands();
    if (!this.dialog.open) this.dialog.showModal();
    if (matchMedia('(pointer: coarse)').matches) this.input.blur();
    else this.input.focus();
  }

  #filterCommands() {
    this.#matchCommands();
    this.#selected = 0;
    this.#renderOptions();
  }

  get #queryWords() { return this.input.value.toLowerCase().split(/\s+/).filter(Boolean); }

  /** Finds the commands whose names contain all words of the query. */
  #matchCommands() {
    const words = this.#queryWords;
    this.#matches = this.#commands.filter((c) => words.every((word) => c.name.toLowerCase().includes(word)));
  }

  #renderOptions() {
    const words = this.#queryWords;
    this.list.replaceChildren(...this.#matches.map((command, n) => createOption(command, n, words)));
    requireElement('palette-none').hidden = this.#matches.length > 0;
    this.#markSelected();
  }

  #markSelected() {
    this.list.querySelectorAll('[role="option"]').forEach((el, n) => {
      el.setAttribute('aria-selected', String(n === this.#selected));
      if (n === this.#selected) el.scrollIntoView({ block: 'nearest' });
    });
    this.input.setAttribute('aria-activedescendant', this.#matches.length ? 'command-' + this.#selected : '');
  }

  /** @param {KeyboardEvent} event */
  #handleKey(event) {
    const n = this.#matches.length;
    if (event.key === 'ArrowDown' && n) this.#selected = (this.#selected + 1) % n;
    else if (event.key === 'ArrowUp' && n) this.#selected = (this.#selected + n - 1) % n;
    else if (event.key === 'Enter' && event.target === this.input) this.#runCommand(this.#selected);
    else return;
    event.preventDefault();
    this.#markSelected();
  }

  /** @param {number} n */
  #runCommand(n) {
    const command = this.#matches[n];
    if (!command) return;
    if (command.disabledReason) return announce(command.disabledReason);
    this.dialog.close();
    command.run();
  }
}

/**
 * Returns the visible content of a list, for comparison.
 * @param {Command[]} commands
 */
const serializeCommands = (commands) => JSON.stringify(commands.map(({ name, icon, keys, disabledReason }) => [name, icon, keys, disabledReason]));

/**
 * @param {Command} command
 * @param {number} n
 * @param {string[]} words
 */
function createOption(command, n, words) {
  const el = document.createElement('div');
  el.id = 'command-' + n;
  el.dataset.n = String(n);
  el.setAttribute('role', 'option');
  const icon = document.createElement('i');
  icon.className = 'i i--' + command.icon;
  const name = document.createElement('span');
  name.append(...markMatch(command.name, words[0] ?? ''));
  el.append(icon, name);
  if (command.disabledReason) {
    const why = document.createElement('span');
    why.className = 'why';
    why.textContent = command.disabledReason;
    el.setAttribute('aria-disabled', 'true');
    el.append(why);
  } else if (command.keys) {
    const hint = document.createElement('span');
    hint.className = 'hint';
    for (const key of command.keys) {
      const kbd = document.createElement('kbd');
      kbd.className = 'kbd';
      kbd.textContent = key;
      hint.append(kbd);
    }
    el.append(hint);
  }
  return el;
}

/**
 * @param {string} text
 * @param {string} word
 * @returns {(string | HTMLElement)[]}
 */
function markMatch(text, word) {
  const at = word ? text.toLowerCase().indexOf(word) : -1;
  if (at < 0) return [text];
  const mark = document.createElement('mark');
  mark.textContent = text.slice(at, at + word.length);
  return [text.slice(0, at), mark, text.slice(at + word.length)];
}
