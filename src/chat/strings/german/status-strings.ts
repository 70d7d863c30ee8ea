import type { Translation } from '../page-language.ts';
import type * as english from '../status-strings.ts';

export const statusStrings: Translation<typeof english.statusStrings> = {
  label: 'Zustand des Modells',
  failed: (message, explained) => `${explained} (${message})`,
  retry: 'Noch einmal versuchen',
  keepsNothing:
    'Dieser Browser behält für diese Website zurzeit nichts: keine geladenen Modelle, keine eigenen Schlüssel, kein Anfrageprotokoll und keine neuen Chats. Vielleicht ist das Fenster privat, der Datenträger voll oder ein anderer Tab der Website im Weg.',
  updateReady: 'Eine neue Version dieser Seite ist bereit.',
  update: 'Neu laden',
  updateLater: 'Später',
};
