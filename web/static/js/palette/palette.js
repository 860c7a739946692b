// @ts-check
// The list of commands (Ctrl K), and the same box as a list of labels (G).

import { closest, expected, need, say, toast } from '../dom.js';

/** @typedef {{name: string, icon: string, keys?: string[], why?: string, run: () => unknown}} Command why: it cannot be done now */

export class Palette {
  /** @type {Command[]} */
  #all = [];
  /** @type {Command[]} */
  #shown = [];
  #at = 0;
  /** The list to choose from that is being fetched. @type {Promise<Command[]> | null} */
  #pending = null;
  /** Returns the listed commands anew; null where they do not change. @type {(() => Command[]) | null} */
  #source = null;

  /** @param {(focused: Element | null) => Command[]} commands what can be done on this page now, with the focus where it was */
  constructor(commands) {
    this.dialog = /** @type {HTMLDialogElement} */ (need('palette'));
    this.input = /** @type {HTMLInputElement} */ (need('palette-input'));
    this.list = need('palette-list');
    this.commands = commands;
    this.input.addEventListener('input', () => this.#filter());
    this.dialog.addEventListener('keydown', (event) => this.#key(event));
    this.list.addEventListener('click', (event) => {
      const option = closest(event, '[role="option"]');
      if (option) this.#run(Number(option.dataset.n));
    });
    document.addEventListener('click', (event) => {
      if (closest(event, '[data-do="palette"]')) this.open();
      else if (closest(event, '[data-do="close-dialog"]')) closest(event, 'dialog')?.dispatchEvent(new Event('close-asked'));
      else if (event.target instanceof HTMLDialogElement) event.target.close();
    });
    for (const dialog of document.querySelectorAll('dialog')) dialog.addEventListener('close-asked', () => dialog.close());
  }

  /** Lists the commands of the page. */
  open() {
    const focused = document.activeElement;
    this.#source = () => this.commands(focused);
    this.#pending = null;
    this.#show(this.#source(), 'Run a command', 'No such command.');
  }

  /**
   * Lists the commands of the page again after the page changed. What was typed and
   * the selected command stay.
   */
  refresh() {
    if (!this.dialog.open || !this.#source) return;
    const listed = this.#shown, selected = listed[this.#at]?.name;
    this.#all = this.#source();
    this.#match();
    if (looks(listed) === looks(this.#shown)) return; // a list under the pointer is not replaced by the same one
    this.#at = Math.max(0, this.#shown.findIndex((c) => c.name === selected));
    this.#draw();
  }

  /**
   * Lets the reader choose one of a list. The box opens at once, so that what is
   * typed while the list is fetched is typed into it.
   * @param {Promise<Command[]>} list
   * @param {string} hint
   * @param {string} none what to say when nothing fits
   */
  async choose(list, hint, none) {
    this.#source = null;
    this.#pending = list;
    this.#show([], hint, 'Loading.');
    const wanted = () => this.dialog.open && this.#pending === list;
    try {
      const commands = await list;
      if (!wanted()) return;
      this.#all = commands;
      need('palette-none').textContent = none;
      this.#filter();
    } catch (err) {
      expected(err);
      if (!wanted()) return;
      this.dialog.close();
      toast('The server is not responding.');
    }
  }

  /**
   * @param {Command[]} commands
   * @param {string} hint
   * @param {string} none
   */
  #show(commands, hint, none) {
    this.#all = commands;
    this.input.value = '';
    this.input.placeholder = hint;
    this.dialog.setAttribute('aria-label', hint);
    need('palette-none').textContent = none;
    this.#filter();
    if (!this.dialog.open) this.dialog.showModal();
    if (matchMedia('(pointer: coarse)').matches) this.input.blur();
    else this.input.focus();
  }

  #filter() {
    this.#match();
    this.#at = 0;
    this.#draw();
  }

  get #words() { return this.input.value.toLowerCase().split(/\s+/).filter(Boolean); }

  /** Finds the commands that have what is typed in their names. */
  #match() {
    const words = this.#words;
    this.#shown = this.#all.filter((c) => words.every((word) => c.name.toLowerCase().includes(word)));
  }

  #draw() {
    const words = this.#words;
    this.list.replaceChildren(...this.#shown.map((command, n) => option(command, n, words)));
    need('palette-none').hidden = this.#shown.length > 0;
    this.#select();
  }

  #select() {
    this.list.querySelectorAll('[role="option"]').forEach((el, n) => {
      el.setAttribute('aria-selected', String(n === this.#at));
      if (n === this.#at) el.scrollIntoView({ block: 'nearest' });
    });
    this.input.setAttribute('aria-activedescendant', this.#shown.length ? 'command-' + this.#at : '');
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const n = this.#shown.length;
    if (event.key === 'ArrowDown' && n) this.#at = (this.#at + 1) % n;
    else if (event.key === 'ArrowUp' && n) this.#at = (this.#at + n - 1) % n;
    else if (event.key === 'Enter' && event.target === this.input) this.#run(this.#at);
    else return;
    event.preventDefault();
    this.#select();
  }

  /** @param {number} n */
  #run(n) {
    const command = this.#shown[n];
    if (!command) return;
    if (command.why) return say(command.why);
    this.dialog.close();
    command.run();
  }
}

/**
 * What is seen of a list.
 * @param {Command[]} commands
 */
const looks = (commands) => JSON.stringify(commands.map(({ name, icon, keys, why }) => [name, icon, keys, why]));

/**
 * @param {Command} command
 * @param {number} n
 * @param {string[]} words
 */
function option(command, n, words) {
  const el = document.createElement('div');
  el.id = 'command-' + n;
  el.dataset.n = String(n);
  el.setAttribute('role', 'option');
  const icon = document.createElement('i');
  icon.className = 'i i--' + command.icon;
  const name = document.createElement('span');
  name.append(...marked(command.name, words[0] ?? ''));
  el.append(icon, name);
  if (command.why) {
    const why = document.createElement('span');
    why.className = 'why';
    why.textContent = command.why;
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
function marked(text, word) {
  const at = word ? text.toLowerCase().indexOf(word) : -1;
  if (at < 0) return [text];
  const mark = document.createElement('mark');
  mark.textContent = text.slice(at, at + word.length);
  return [text.slice(0, at), mark, text.slice(at + word.length)];
}
