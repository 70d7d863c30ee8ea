import { isModelFile } from '../browser/is-model-file.ts';
import { loadInBackground } from '../browser/load-part.ts';
import { drafts } from '../storage/drafts/drafts.ts';
// Parts of the page that its first paint does not need. They are imported by one file, because the service worker's
// list of the site's files grows with each separate script.
import '../models/download-line.ts';
import '../models/model-offer.ts';
import '../offline/offline-badge.ts';
import './outside-links.ts';
import './reload-button.ts';
import './status-banner.ts';
import './restore-lost-focus.ts';
import './update-prompt.ts';
import type { ChatApp } from './chat-app.ts';

/**
 * Ignores files that are dropped where no element accepts them. Otherwise the browser would open the file in place of
 * the page, which would end the answers that this tab writes.
 */
function ignoreDroppedFiles(event: DragEvent): void {
  if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
}

/**
 * Adds the models among dropped files. Files that are dropped or attached in a chat arrive in an event of the chat
 * instead.
 */
function addDroppedModels({ dataTransfer, defaultPrevented }: DragEvent): void {
  const files = [...(dataTransfer?.files ?? [])].filter(isModelFile);
  if (files.length > 0 && !defaultPrevented) addModels(files);
}

function addModels(files: readonly File[]): void {
  const { tabserve } = document.querySelector<ChatApp>('chat-app')!;
  const opened = import('../models/gguf-dialog.ts').then(({ openGgufDialog }) => openGgufDialog(tabserve!, files));
  loadInBackground(opened);
}

/** Milliseconds until this page finishes deletions that were interrupted. By then it works. */
const START_TIME = 10_000;
setTimeout(() => {
  const finished = drafts.keep((keeper) => keeper.finishDeletions());
  finished.catch((error: unknown) => console.info('What deleted chats left is still kept.', error));
}, START_TIME);

addEventListener('model-files', (event) => {
  event.preventDefault();
  addModels(event.detail.filter(isModelFile));
});
addEventListener('drop', addDroppedModels);
addEventListener('dragover', ignoreDroppedFiles);
addEventListener('drop', ignoreDroppedFiles);

declare global {
  interface WindowEventMap {
    /**
     * Fired for files added to a chat if at least one is a model. A listener that handles the models prevents the
     * default.
     */
    'model-files': CustomEvent<readonly File[]>;
  }
}
