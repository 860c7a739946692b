// @ts-check
// The script of the page of sessions that run or wait.

import { startNowPage } from '../now/nowpage.js';
import { startPage } from '../startpage.js';

startPage(startNowPage);
