import { formatBytes } from './format.ts';
import { localized } from './page-language.ts';

export const downloadStrings = localized('downloadStrings', {
  retrying: 'The download has stalled. Retrying automatically…',
  offline: 'The network is gone. The download goes on by itself when it is back.',
  files: (done: number, all: number) => `Files: ${done} of ${all} done`,
  fileStates: { waiting: 'waiting', downloading: 'downloading', retrying: 'waiting to try again', done: 'done' },
  restarts: 'the server cannot resume, so an interruption restarts this file',
  pausedNote: 'What you have downloaded is kept, even if you close this page.',
  /** @param bytes Files of a site's own model that are not in use. */
  left: (bytes: number) =>
    `${formatBytes(bytes)} of it are on this device and not in use: an interrupted download, or files that this site has replaced. Delete them to free the space.`,
});
