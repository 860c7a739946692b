// @ts-check
// What changed between two lists of sessions.

import { findAll } from '../dom.js';

/**
 * @typedef {{key: string, title: string, state: string, failures: number, href: string, why: string}} Session
 * @typedef {{session: Session, kind: 'waits' | 'finishes' | 'fails' | 'failing'}} Change
 */

const FAILURES = 3; // failed results in a row that are reported

/**
 * @param {ParentNode} list whose rows are empty if they have not changed
 * @param {Map<string, Session>} [before]
 * @returns {Map<string, Session>}
 */
export function readSessions(list, before) {
  const sessions = new Map();
  for (const row of findAll('.now-row', list)) {
    const { key = '', title = '', state = '', failures } = row.dataset;
    if (!row.firstElementChild && before?.has(key)) {
      sessions.set(key, { ...before.get(key), title, state, failures: Number(failures) });
      continue;
    }
    const href = row.querySelector('.now-link')?.getAttribute('href') ?? '', why = row.querySelector('.now-question')?.textContent?.trim() ?? '';
    sessions.set(key, { key, title, state, failures: Number(failures), href, why });
  }
  return sessions;
}

/**
 * Returns what users want to know: sessions that now wait, have finished or fail.
 * @param {Map<string, Session>} before
 * @param {Map<string, Session>} now
 * @returns {Change[]}
 */
export function findChanges(before, now) {
  /** @type {Change[]} */
  const changes = [];
  for (const session of now.values()) {
    const old = before.get(session.key);
    if (!old) continue; // listed for the first time
    if (session.state !== old.state) {
      if (session.state === 'waits') changes.push({ session, kind: 'waits' });
      else if (session.state === 'finished') changes.push({ session, kind: 'finishes' });
      else if (session.state === 'failed') changes.push({ session, kind: 'fails' });
    }
    if (session.failures >= FAILURES && old.failures < FAILURES) changes.push({ session, kind: 'failing' });
  }
  return changes;
}

const texts = { waits: 'waits for you', finishes: 'has finished', fails: 'has failed', failing: `${FAILURES} tool calls failed in a row` };

/** @param {Change} change */
export const describeChange = ({ session, kind }) => `${session.title}: ${texts[kind]}`;
