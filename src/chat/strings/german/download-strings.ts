import { formatBytes } from '../format.ts';
import type { Translation } from '../page-language.ts';
import type { downloadStrings as english } from '../download-strings.ts';

export const downloadStrings: Translation<typeof english> = {
  retrying: 'Der Download stockt. Es wird automatisch erneut versucht …',
  offline: 'Es gibt kein Netz. Der Download geht von selbst weiter, wenn es wieder da ist.',
  files: (done, all) => `Dateien: ${done} von ${all} fertig`,
  fileStates: { waiting: 'wartet', downloading: 'lädt', retrying: 'versucht es gleich noch einmal', done: 'fertig' },
  restarts: 'der Server kann nicht fortsetzen, nach einer Unterbrechung beginnt diese Datei von vorn',
  pausedNote: 'Was angekommen ist, bleibt, auch wenn diese Seite geschlossen wird.',
  left: (bytes) =>
    `Davon liegen ${formatBytes(bytes)} unbenutzt auf diesem Gerät: ein unterbrochener Download oder Dateien, die diese Website ersetzt hat. Lösche sie, um Platz zu schaffen.`,
};
