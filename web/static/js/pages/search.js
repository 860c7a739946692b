// @ts-check
// The script of the page that searches all sessions.

import { startSearchPage } from '../searchall/searchpage.js';
import { startPage } from '../startpage.js';

startPage(startSearchPage);
