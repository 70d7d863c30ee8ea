/** What of the page is seen some time after it is opened, if at all: in one file, since each is a line in the service worker. */
import '../models/download-line.ts';
import '../offline/offline-badge.ts';
import './keep-page.ts';
import './status-banner.ts';
import './keep-place.ts';
import './update-prompt.ts';
