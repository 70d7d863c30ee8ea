import { formatBytes, formatNumber } from '../format.ts';
import type { Translation } from '../page-language.ts';
import type * as english from '../document-strings.ts';

export const documentStrings: Translation<typeof english.documentStrings> = {
  title: 'Dokumente',
  introduction:
    'Lege Dateien in eine Sammlung und wähle sie in einem Chat: Jede Frage wird darin nachgeschlagen, und die Antwort zeigt die Stellen, auf denen sie beruht.',
  newName: 'Name einer neuen Sammlung',
  nameHint: 'Aufsätze, Verträge, ein Handbuch …',
  create: 'Anlegen',
  nameNeeded: 'Gib der Sammlung einen Namen.',
  collections: 'Sammlungen',
  none: 'Es gibt noch keine Sammlung. Lege eine an und füge die Dateien hinzu, zu denen du Fragen hast.',
  listFailed: 'Die Sammlungen konnten nicht aufgelistet werden.',
  reading: 'Die Sammlungen werden gelesen …',
  created: (name) => `Die Sammlung ${name} wurde angelegt.`,

  files: documentCount,
  size: (bytes) => `Index von ${formatBytes(bytes)}`,
  noFiles: 'Noch keine Dateien.',
  orDrop: 'Du kannst sie auch hierher ziehen.',
  expired:
    'Diese Sammlung ist abgelaufen und kann nicht befragt werden. Programme können so eine Frist setzen; was hier angelegt wird, hat keine.',
  ask: 'Fragen',
  askAbout: (name) => `Zu ${name} fragen`,
  addFiles: 'Dateien hinzufügen',
  addFilesTo: (name) => `Dateien hinzufügen: ${name}`,
  addFolder: 'Ordner hinzufügen',
  addFolderTo: (name) => `Ordner hinzufügen: ${name}`,
  nothingToAdd: 'Es gibt keine Datei zum Hinzufügen. Versteckte Dateien in Ordnern werden ausgelassen.',
  dropHere: 'Lass die Dateien los, um sie hinzuzufügen.',

  adding: (done, total) => `Dateien werden gelesen: ${formatNumber(done)} von ${formatNumber(total)}`,
  paused: (done, total) => `Angehalten bei Datei ${formatNumber(done)} von ${formatNumber(total)}`,
  keepOpen: 'Lass diese Seite offen, bis alle Dateien gelesen sind.',
  indexing: (done, total) => `Wird indiziert: ${formatNumber(done)} von ${formatNumber(total)} Dateien`,
  canAskAlready: 'Zu allem, was schon indiziert ist, kannst du Fragen stellen.',
  ready: (count) =>
    count === 1
      ? 'Zu der Datei kannst du Fragen stellen.'
      : `Zu allen ${formatNumber(count)} Dateien kannst du Fragen stellen.`,
  failed: (count) => `${documentCount(count)} ${count === 1 ? 'konnte' : 'konnten'} nicht indiziert werden.`,
  pause: 'Anhalten',
  resume: 'Fortsetzen',
  cancel: 'Abbrechen',
  cancelHint: 'Entfernt die Dateien, die noch nicht indiziert sind',
  isImage: 'Ein Bild hat keinen Text.',

  remarks: (refused, partial) =>
    [
      refused === 0 ? '' : `${documentCount(refused)} nicht hinzugefügt`,
      partial === 0 ? '' : `${documentCount(partial)} zum Teil hinzugefügt`,
    ]
      .filter((part) => part !== '')
      .join(', '),
  furtherRemarks: (count) =>
    `${formatNumber(count)} weitere ${count === 1 ? 'Datei wird' : 'Dateien werden'} hier nicht gezeigt.`,
  fileList: 'Dateien',
  fileStates: {
    in_progress: 'wird indiziert',
    completed: '',
    failed: 'konnte nicht indiziert werden',
    cancelled: 'wurde nicht indiziert',
  },
  more: (count) => `${formatNumber(count)} weitere zeigen`,
  remove: (name) => `${name} entfernen`,
  removed: (name) => `${name} wurde entfernt.`,
  delete: 'Löschen',
  deleteOf: (name) => `Sammlung löschen: ${name}`,
  confirmDelete: (name, files) => ({
    heading: `Die Sammlung ${name} löschen?`,
    words:
      files === 0
        ? 'Sie hat keine Dateien. Antworten in Chats behalten die Stellen, die sie zeigen.'
        : `${documentCount(files)} und der Index werden auf dieser Website gelöscht. Deine eigenen Dateien bleiben, wo sie sind, und Antworten in Chats behalten die Stellen, die sie zeigen.`,
    action: 'Löschen',
  }),
  deleted: (name) => `Die Sammlung ${name} wurde gelöscht.`,
};

export const sourceStrings: Translation<typeof english.sourceStrings> = {
  choose: 'Dokumente',
  chosen: (name) => `Dokumente dieses Chats: ${name}`,
  none: 'Keine Dokumente',
  manage: 'Dokumente verwalten …',
  missing: (name) => `${name} (gelöscht)`,
  unnamed: 'den Dokumenten',
  sources: 'Quellen',
  passages: 'Stellen, die zur Frage passen',
  found: (count, name) =>
    count === 1
      ? `1 Stelle in ${name} passt zur Frage.`
      : `${formatNumber(count)} Stellen in ${name} passen zur Frage.`,
  hardlyReads: (model) => `${model} ist zu klein, um sie zu lesen; darum stehen sie hier, wie sie sind.`,
  nothing: (name) =>
    `Nichts in ${name} passt zu dieser Frage; darum wurde kein Modell gefragt. Frag mit anderen Worten, oder wähle andere Dokumente.`,
  stillIndexing: (done, total) =>
    `Noch nichts gefunden: ${formatNumber(done)} von ${documentCount(total)} ${total === 1 ? 'ist' : 'sind'} indiziert. Frag noch einmal, wenn auch der Rest indiziert ist.`,
  open: (number, name) => `Quelle ${number} ${name}`,
  gone: 'Die Datei ist nicht mehr in der Sammlung. Das ist die Stelle, die gefunden wurde.',
  moved:
    'Die Datei hat sich seitdem geändert und enthält diese Stelle nicht mehr. Das ist die Stelle, die gefunden wurde.',
  opening: 'Die Datei wird geöffnet …',
  passage: 'Die Stelle',
  leftOut: '[…]',
};

function documentCount(count: number): string {
  return `${formatNumber(count)} ${count === 1 ? 'Datei' : 'Dateien'}`;
}
