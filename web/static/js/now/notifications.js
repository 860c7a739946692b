// @ts-check
// Notifications of this browser about sessions, as its user wants them. Nothing is sent
// anywhere.

import { findAll, requireElement } from '../dom.js';
import { announce } from '../notify.js';
import { settings } from '../settings.js';
import { describeChange } from './changes.js';

const MAX_BELLS = 200; // sessions that are remembered

/** The switch that each change belongs to. */
const switchOf = { waits: 'waits', finishes: 'finishes', fails: 'finishes', failing: 'fails' };

const isOn = (/** @type {string} */ name) => settings.get('notify-' + name) === 'on';

/** @returns {string[]} the keys of the sessions whose bell is on */
function readBells() {
  try {
    const keys = JSON.parse(settings.get('notify-sessions') ?? '[]');
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
  } catch { return []; }
}

/** Starts the switches. */
export function startNotifications() {
  for (const box of switches()) {
    const name = box.dataset.notify ?? '';
    box.checked = isOn(name);
    box.addEventListener('change', () => {
      settings.set('notify-' + name, box.checked ? 'on' : null);
      if (box.checked && name !== 'sound') requestPermission();
      if (box.checked && name === 'sound') playSound();
      showState();
    });
  }
  showState();
}

/** @returns {HTMLInputElement[]} */
const switches = () => /** @type {HTMLInputElement[]} */ (findAll('[data-notify]'));

/** Shows whether notifications are on, and why they may not be shown. */
function showState() {
  requireElement('notifications-on').hidden = !switches().some((box) => box.checked && box.dataset.notify !== 'sound') && readBells().length === 0;
  const note = requireElement('notifications-note');
  if (!('Notification' in window)) note.textContent = 'This browser shows no notifications for this page. Changes are announced on the page.';
  else if (Notification.permission === 'denied') note.textContent = 'This browser blocks notifications of this page. Allow them in its settings.';
}

function requestPermission() {
  if ('Notification' in window && Notification.permission === 'default') Promise.resolve(Notification.requestPermission()).then(showState, showState);
}

/** Shows on all rows whether their bell is on. */
export function showBells() {
  const keys = new Set(readBells());
  for (const bell of findAll('[data-do="bell"]')) {
    const on = String(keys.has(keyOf(bell)));
    if (bell.getAttribute('aria-pressed') !== on) bell.setAttribute('aria-pressed', on);
  }
}

/** @param {Element} bell */
const keyOf = (bell) => /** @type {HTMLElement | null} */ (bell.closest('.now-row'))?.dataset.key ?? '';

/**
 * Turns the notifications about one session on or off.
 * @param {Element} bell
 */
export function toggleBell(bell) {
  const key = keyOf(bell), keys = readBells(), on = !keys.includes(key);
  settings.set('notify-sessions', JSON.stringify((on ? [...keys, key] : keys.filter((other) => other !== key)).slice(-MAX_BELLS)));
  if (on) requestPermission();
  showBells();
  showState();
  announce(on ? 'Notifications on for this session' : 'Notifications off for this session');
}

/** @param {import('./changes.js').Change} change */
export function notifyOfChange(change) {
  const { session, kind } = change;
  if (!isOn(switchOf[kind]) && !readBells().includes(session.key)) return;
  if (isOn('sound')) playSound();
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  try {
    const notification = new Notification(describeChange(change), { body: session.why, tag: session.key });
    notification.onclick = () => {
      window.focus();
      location.assign(session.href);
    };
  } catch { /* some phones allow notifications to service workers only */ }
}

/** Plays a short tone. */
function playSound() {
  const audio = new AudioContext(), tone = audio.createOscillator(), volume = audio.createGain();
  tone.connect(volume).connect(audio.destination);
  tone.frequency.value = 660;
  volume.gain.setValueAtTime(0.12, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.35);
  tone.start();
  tone.stop(audio.currentTime + 0.35);
  tone.onended = () => audio.close();
}
