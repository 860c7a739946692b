// @ts-check
// Ranks the choices of the palette: which ones match, in which order, in which groups.

/**
 * A choice of the palette. group: where it is listed. detail: a second text. more: a short
 * text at the end of the row. time: ISO 8601. disabledReason: why it is not possible now.
 * isFound: the server found it, so it matches even if its texts do not show why. staysOpen:
 * the palette stays open. steps:
 * asks further questions instead of run.
 * @typedef {{name: string, icon: string, group?: string, detail?: string, more?: string, time?: string, keys?: string[],
 *   disabledReason?: string, isFound?: boolean, staysOpen?: boolean, steps?: () => import('./exportsteps.js').ExportSteps, run: () => unknown}} Command
 * @typedef {{name: string, choices: Command[], total: number, score: number}} ChoiceGroup total: also those that are not listed
 */

import { queryWords } from '../text.js';

/** The order of groups that match equally well. */
export const GROUPS = ['Commands', 'This session', 'Labels', 'Sessions', 'Recent places'];
const MAX_LISTED = 5; // choices of a group when there is a query
const MAX_PLACES = 4; // recent places when there is none

/**
 * Returns how well a choice matches, 0 if it does not.
 * @param {Command} choice
 * @param {string[]} words
 */
export function scoreChoice(choice, words) {
  const name = choice.name.toLowerCase(), detail = (choice.detail ?? '').toLowerCase();
  let score = 1;
  for (const word of words) {
    const own = scoreWord(name, word, detail) || (choice.isFound ? 5 : 0);
    if (!own) return 0;
    score += own / words.length;
  }
  const query = words.join(' ');
  if (name === query) score += 40;
  else if (query && name.startsWith(query)) score += 10;
  return score;
}

/**
 * @param {string} name
 * @param {string} word
 * @param {string} detail
 */
function scoreWord(name, word, detail) {
  const at = name.indexOf(word);
  if (at === 0) return 60;
  if (at > 0) return /[\p{L}\p{N}]/u.test(name[at - 1]) && !(' ' + name).includes(' ' + word) ? 20 : 40;
  return detail.includes(word) ? 10 : 0;
}

/**
 * Returns the groups of the choices that match: the group with the best choice first.
 * Without a query, recent places come first, then all commands. Choices that are not
 * possible now are left out.
 * @param {Command[]} choices
 * @param {string} query
 * @param {{totals?: Record<string, number>, uses?: (name: string) => number, limited?: boolean}} [known] totals:
 * the number of choices of a group if the server knows more. uses: how often a command was
 * run. limited: only the best choices of a group are listed
 * @returns {ChoiceGroup[]}
 */
export function rankGroups(choices, query, { totals = {}, uses = () => 0, limited = true } = {}) {
  const words = queryWords(query);
  /** @type {Map<string, {choice: Command, score: number}[]>} */
  const groups = new Map();
  for (const choice of choices) {
    const score = scoreChoice(choice, words);
    if (score === 0 || choice.disabledReason) continue;
    const name = choice.group ?? 'Commands', list = groups.get(name) ?? [];
    list.push({ choice, score: score + (name === 'Commands' ? Math.min(uses(choice.name), 9) / (words.length ? 10 : 1) : 0) });
    groups.set(name, list);
  }
  const ranked = [...groups].map(([name, list]) => {
    list.sort((a, b) => b.score - a.score);
    const most = !limited ? Infinity : words.length ? MAX_LISTED : name === 'Recent places' ? MAX_PLACES : Infinity;
    return { name, choices: list.slice(0, most).map((c) => c.choice), total: Math.max(list.length, words.length ? totals[name] ?? 0 : 0), score: list[0].score };
  });
  if (!words.length) return ranked.sort((a, b) => Number(b.name === 'Recent places') - Number(a.name === 'Recent places'));
  return ranked.sort((a, b) => b.score - a.score || GROUPS.indexOf(a.name) - GROUPS.indexOf(b.name));
}

/**
 * Adds the matching commands that are not possible now to the groups: not those with the most
 * common reason, which are returned.
 * @param {ChoiceGroup[]} groups
 * @param {Command[]} commands
 * @param {string} query
 * @param {(() => unknown) | null} show shows the commands; null if they are shown
 * @returns {{reason: string, commands: Command[]} | undefined}
 */
export function addDisabled(groups, commands, query, show) {
  const [most, ...others] = groupByReason(commands, query), rest = others.flatMap((r) => r.commands);
  if (rest.length) {
    let group = groups.find((g) => g.name === 'Commands');
    if (!group) groups.unshift(group = { name: 'Commands', choices: [], total: 0, score: 0 });
    const shown = show ? [{ name: `Show ${rest.length} more that are not available`, icon: 'info', group: 'Commands', run: show, staysOpen: true }] : rest;
    group.choices = [...group.choices, ...shown];
    group.total = Math.max(group.total, group.choices.length);
  }
  return most;
}

/**
 * Returns the matching commands that are not possible now, by reason, the most common
 * reason first.
 * @param {Command[]} choices
 * @param {string} query
 * @returns {{reason: string, commands: Command[]}[]}
 */
function groupByReason(choices, query) {
  const words = queryWords(query);
  /** @type {Map<string, Command[]>} */
  const reasons = new Map();
  for (const choice of choices) {
    if (!choice.disabledReason || !scoreChoice(choice, words)) continue;
    reasons.set(choice.disabledReason, [...(reasons.get(choice.disabledReason) ?? []), choice]);
  }
  return [...reasons].map(([reason, commands]) => ({ reason, commands })).sort((a, b) => b.commands.length - a.commands.length);
}
