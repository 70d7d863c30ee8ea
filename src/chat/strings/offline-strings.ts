import { formatTime } from './format.ts';
import { localized } from './page-language.ts';

export const offlineStrings = localized('offlineStrings', {
  ready: 'Works offline',
  readyExcept: (upstreams: readonly string[]) => `Works offline, except ${upstreams.join(', ')}`,
  notReady: 'Not ready for offline use yet',
  checking: 'Checking for offline use',
  offlineNow: 'Offline now',
  proof: 'Proof of offline use',
  controlled: 'The page is answered from this device',
  uncontrolled: 'The service worker does not control this page yet',
  filesHere: (count: number) => `All ${count} files of the page are stored`,
  filesMissing: (missing: readonly string[]) =>
    `Not stored: ${missing.slice(0, 3).join(', ')}${missing.length > 3 ? ', …' : ''}`,
  noRoom: 'No room on this device for the files of the page: it needs the network each time.',
  modelsHere: (names: readonly string[]) => `Every file of ${names.join(', ')} is stored`,
  noModel: 'No model is stored in full',
  getBuiltIn: 'Store the built-in model',
  again: 'Check again',
  checked: (time: number) => `Checked at ${formatTime(time)}, file by file`,
});
