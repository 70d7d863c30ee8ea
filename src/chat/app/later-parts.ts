// Parts of the page that are not needed for its first paint. They are one file, since each file is a line in the service worker.
import '../models/download-line.ts';
import '../offline/offline-badge.ts';
import './status-banner.ts';
import './keep-place.ts';
import './update-prompt.ts';

/** A file that is dropped where nothing accepts it would replace the page and end the answers that it writes. */
function ignoreDroppedFiles(event: DragEvent): void {
  if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
}

addEventListener('dragover', ignoreDroppedFiles);
addEventListener('drop', ignoreDroppedFiles);
