// @ts-check
// The script of the page of a team's sessions.

import { startPage } from '../startpage.js';
import { startTeamPage } from '../team/teampage.js';

startPage(startTeamPage);
