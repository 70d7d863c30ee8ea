// Parts of the page that its first paint does not need. They are in one file, because the service worker keeps a list
// of the site's files.
import '../models/download-line.ts';
import '../offline/offline-badge.ts';
import './status-banner.ts';
import './keep-place.ts';
import './update-prompt.ts';

/**
 * Ignores files that are dropped where no element accepts them. Otherwise the browser would open the file in place of
 * the page, and the answers that this tab writes would end.
 */
function ignoreDroppedFiles(event: DragEvent): void {
  if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
}

addEventListener('dragover', ignoreDroppedFiles);
addEventListener('drop', ignoreDroppedFiles);
