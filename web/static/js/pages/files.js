// @ts-check
// The script of the pages about files.

import { startFilesPage } from '../files/filespage.js';
import { startPage } from '../startpage.js';

startPage(startFilesPage);
