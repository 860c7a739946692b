// @ts-check
// The questions before an export: what, in which format, and what to hide. Nothing is
// written before the last answer.

import { showToast } from '../notify.js';

/** @typedef {{value: string, name: string, detail: string, icon: string, more?: string}} Answer */

/** @type {Record<'what' | 'format' | 'hide', Answer[]>} */
const ANSWERS = {
  what: [
    { value: 'path', name: 'This path', detail: 'from the beginning to its end', icon: 'leaf' },
    { value: 'subtree', name: 'From this entry on', detail: 'all branches, and the path to it', icon: 'fork' },
    { value: 'tree', name: 'Whole session', detail: 'every branch', icon: 'tree' },
  ],
  format: [
    { value: 'md', name: 'Markdown', detail: 'to paste or read', icon: 'file', more: '.md' },
    { value: 'html', name: 'Web page, one file', detail: 'opens anywhere, no server', icon: 'code', more: '.html' },
    { value: 'jsonl', name: 'Session file', detail: 'opens in the agent', icon: 'file-plus', more: '.jsonl' },
  ],
  hide: [
    { value: 'all', name: 'Secrets and personal details', detail: 'keys, home paths, names and addresses', icon: 'lock' },
    { value: 'keys', name: 'Secrets only', detail: 'keys, tokens and passwords', icon: 'lock' },
    { value: 'none', name: 'Nothing', detail: 'as recorded', icon: 'warn' },
    { value: 'ask', name: 'Check what was found…', detail: 'choose value by value, leave out thinking, output or images', icon: 'search' },
  ],
};

const STEPS = /** @type {const} */ (['what', 'format', 'hide']);
const NAMES = ['What', 'Format', 'Hide'];
const HINTS = ['Choose what to export', 'Choose a format', 'Choose what to hide'];
const NOTES = ['Next: the format.', 'Next: hide secrets, home path and user names. Nothing leaves this computer.', 'Enter downloads the file. Hidden values are replaced in it.'];

export class ExportSteps {
  chip = 'Export';
  names = NAMES;
  /** The answers so far. @type {Answer[]} */
  answers = [];

  /**
   * @param {string} base address of the session
   * @param {string} entry the entry that the export is about, '' = the leaf
   * @param {(href: string) => unknown} openDialog
   */
  constructor(base, entry, openDialog) {
    this.base = base;
    this.entry = entry;
    this.openDialog = openDialog;
  }

  get index() { return this.answers.length; }
  get isDone() { return this.index === STEPS.length; }
  get hint() { return HINTS[this.index]; }
  get note() { return NOTES[this.index]; }

  /**
   * Goes back to an earlier question.
   * @param {number} index
   */
  goTo(index) { this.answers = this.answers.slice(0, index); }

  /**
   * Returns the choices of the current question.
   * @returns {import('./rank.js').Command[]}
   */
  choices() {
    const answers = ANSWERS[STEPS[this.index]].filter((a) => a.value !== 'subtree' || this.entry);
    return answers.map((answer) => ({ name: answer.name, detail: answer.detail, icon: answer.icon, more: answer.more, group: '', run: () => { this.answers = [...this.answers, answer]; } }));
  }

  /** Downloads the file, or opens the dialog that lists what was found. */
  finish() {
    const [what, format, hide] = this.answers.map((a) => a.value);
    const params = new URLSearchParams({ scope: what, as: format });
    if (this.entry && what !== 'tree') params.set('entry', this.entry);
    if (hide === 'ask') {
      params.set('ask', '1');
      return this.openDialog(`${this.base}/export?${params}`);
    }
    params.set('redact', hide);
    const link = document.createElement('a');
    link.href = `${this.base}/export?${params}`;
    link.download = '';
    link.click();
    showToast('The download has started.');
  }
}
