import type { Translation } from '../page-language.ts';
import type * as english from '../transfer-strings.ts';

export const exportStrings: Translation<typeof english.exportStrings> = {
  fileOfAll: (day) => `tabserve-chats-${day}.json`,
  untitledFile: 'chat',
  question: 'Frage',
  answer: (model) => `Antwort (${model})`,
};

export const importStrings: Translation<typeof english.importStrings> = {
  noJson: 'Sie ist beschädigt oder enthält keine Chats: Sie ist kein JSON.',
  otherFormat:
    'Solche Dateien mit Chats sind hier nicht bekannt. Tabserve liest seine eigenen Exporte, die von ChatGPT (conversations.json oder das ganze .zip) und die von Open WebUI.',
  otherVersion:
    'Ein neueres Tabserve hat sie geschrieben. Lade diese Seite neu, um das neueste zu bekommen, und versuche es noch einmal.',
  noChats: 'Sie enthält keinen Chat.',
  noChatsInArchive: 'In diesem Archiv ist keine conversations.json, in der im Export von ChatGPT die Chats stehen.',
  brokenArchive: 'Das Archiv ist beschädigt. Lade oder kopiere es noch einmal.',
  tooLarge: (most) => `Ihre Chats sind größer als ${most}, mehr als diese Seite auf einmal aufnehmen kann.`,
  noRoom: (added) =>
    `Der Browser hat keinen Platz für ${added === 0 ? 'ihre Chats' : `mehr ihrer Chats als die ersten ${added}`}. Lösche hier einige, oder ein Modell, und importiere sie noch einmal.`,
  noRoomForPresets:
    'Ihre Chats wurden importiert, ihre Vorlagen nicht: Sie sind größer, als der Browser erlaubt. Entferne hier oder in der Datei einige Vorlagen.',
  unreadable:
    'Sie ist zu tief verschachtelt oder auf andere Weise so beschädigt, dass diese Seite sie nicht lesen kann.',
  failed: (reason) => `Die Datei konnte nicht importiert werden. ${reason}`,
  failedOf: (name, reason) => `${name} konnte nicht importiert werden. ${reason}`,
  moreFailed: (count) =>
    count === 1
      ? 'Auch eine weitere Datei konnte nicht importiert werden.'
      : `Auch ${count} weitere Dateien konnten nicht importiert werden.`,
  untitled: 'Importierter Chat',

  added: (added, present) =>
    `${added === 1 ? 'Ein Chat' : `${added} Chats`} importiert${present === 0 ? '' : `, ${present} bereits hier`}.`,
  empty: (count) => `${count === 1 ? 'Ein Chat wurde' : `${count} Chats wurden`} ausgelassen: Dort ist nichts gesagt.`,
  damaged: (count) => `${count === 1 ? 'Ein Chat wurde' : `${count} Chats wurden`} als beschädigt ausgelassen.`,
  files: (count) => `${count === 1 ? 'Ein Bild oder eine Datei blieb' : `${count} Bilder und Dateien blieben`} zurück.`,
  steps: (count) =>
    `${count === 1 ? 'Ein Schritt' : `${count} Schritte`} von Werkzeugen blieb${count === 1 ? '' : 'en'} zurück.`,
};
