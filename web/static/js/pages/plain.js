// @ts-check
// The script of pages that have none of their own: a context, the costs, shares, dialogs as pages,
// entries and errors.

import { startContextPage } from '../context/contextlist.js';
import { startSharing } from '../dialog/share.js';
import { startPlainPage } from '../plainpage.js';
import { startChartKeys } from '../spend/chartkeys.js';
import { startPage } from '../startpage.js';
import { startDeviceStatus } from '../team/devicestatus.js';

startPage(() => {
  const context = document.getElementById('context');
  if (context) startContextPage(context);
  startSharing();
  startChartKeys();
  startDeviceStatus();
  startPlainPage();
});
