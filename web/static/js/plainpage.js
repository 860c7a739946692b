// @ts-check
// What pages without features of their own have, such as errors.

import { startCopyButtons } from './actions.js';
import { startKeys } from './keyboard.js';
import { pageCommands } from './palette/commands.js';
import { CommandPalette } from './palette/palette.js';
import { pageSources } from './palette/sources.js';

export function startPlainPage() {
  startCopyButtons();
  startKeys(() => undefined, new CommandPalette(pageCommands, pageSources()));
}
