// @ts-check
// The script of the page that compares branches.

import { startComparePage } from '../compare/comparepage.js';
import { startPage } from '../startpage.js';

startPage(startComparePage);
