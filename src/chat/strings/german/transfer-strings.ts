import type { Translation } from '../page-language.ts';
import type * as english from '../transfer-strings.ts';

export const exportStrings: Translation<typeof english.exportStrings> = {
  fileOfAll: (day) => `tabserve-chats-${day}.json`,
  untitledFile: 'chat',
  question: 'Frage',
  answer: (model) => `Antwort (${model})`,
  thinking: 'Nachgedacht',
  leftOut: (parts) => `Nicht in dieser Datei: ${parts}. Der Export als JSON enthält sie.`,
  images: (count) => `${count} ${count === 1 ? 'Bild' : 'Bilder'}`,
  branches: (count) => `${count} ${count === 1 ? 'Nachricht' : 'Nachrichten'} anderer Zweige`,
};

export const importStrings: Translation<typeof english.importStrings> = {
  noFile: 'Sie ist leer.',
  brokenJson:
    'Sie ist beschädigt: Sie beginnt als JSON, endet aber zu früh oder hat innen einen Fehler. Lade oder kopiere sie noch einmal.',
  otherFormat:
    'Sie ist kein Export, den diese Seite kennt. Tabserve liest seine eigenen Exporte (JSON und Markdown) und die von ChatGPT und Claude (conversations.json oder das ganze .zip), LibreChat, Open WebUI, llama-server, LM Studio und Jan (JSON oder JSON-Zeilen).',
  otherVersion:
    'Ein neueres Tabserve hat sie geschrieben. Lade diese Seite neu, um das neueste zu bekommen, und versuche es noch einmal.',
  noChats: 'Sie enthält keinen Chat.',
  noChatsInArchive:
    'In diesem Archiv sind keine Chats, die diese Seite kennt, wie die conversations.json von ChatGPT und Claude.',
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
  completed: (count) =>
    count === 1
      ? 'Ein Chat war bereits hier und bekam die Nachrichten, die fehlten.'
      : `${count} Chats waren bereits hier und bekamen die Nachrichten, die fehlten.`,
  empty: (count) => `${count === 1 ? 'Ein Chat wurde' : `${count} Chats wurden`} ausgelassen: Dort ist nichts gesagt.`,
  damaged: (count) => `${count === 1 ? 'Ein Chat wurde' : `${count} Chats wurden`} als beschädigt ausgelassen.`,
  unknown: (count) =>
    `${count === 1 ? 'Ein Eintrag wurde' : `${count} Einträge wurden`} ausgelassen: ${count === 1 ? 'Seine' : 'Ihre'} Form kennt diese Seite nicht.`,
  leftOut: (parts) => `Ausgelassen: ${parts}.`,
  images: (count) => `${count} ${count === 1 ? 'Bild' : 'Bilder'}`,
  audio: (count) => `${count} Audio`,
  videos: (count) => `${count} ${count === 1 ? 'Video' : 'Videos'}`,
  files: (count) => `${count} ${count === 1 ? 'Datei' : 'Dateien'}`,
  sources: (count) => `${count} ${count === 1 ? 'Quellenangabe' : 'Quellenangaben'} ohne Adresse`,
  notes: (count) => `${count} verborgene ${count === 1 ? 'Nachricht' : 'Nachrichten'}`,
  branches: (count) => exportStrings.branches(count),
  image: 'Bild',
  imageNamed: (name) => `[Bild: ${name}]`,
  fileNamed: (name) => `[Datei: ${name}]`,
};
