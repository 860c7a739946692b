// @ts-check
// The script of the page with the map of a session.

import { startMapPage } from '../map/mappage.js';
import { startPage } from '../startpage.js';

startPage(startMapPage);
