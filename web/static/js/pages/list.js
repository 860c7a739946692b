// @ts-check
// The script of the list of sessions.

import { startSessionList } from '../sessionlist/sessionlist.js';
import { startPage } from '../startpage.js';

startPage(startSessionList);
