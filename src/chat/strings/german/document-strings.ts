import { formatBytes, formatDuration, formatNumber } from '../format.ts';
import type { Translation } from '../page-language.ts';
import type * as english from '../document-strings.ts';
import { documentCount } from './document-count.ts';

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
  sameFolder: (name) => `Die Sammlung hat Dateien eines Ordners namens ${name}. Ist es derselbe Ordner?`,
  isSameFolder: 'Derselbe: Geändertes ersetzen',
  isOtherFolder: 'Ein anderer: getrennt halten',
  nothingToAdd: 'Es gibt keine Datei zum Hinzufügen. Versteckte Dateien in Ordnern werden ausgelassen.',
  dropHere: 'Lass die Dateien los, um sie hinzuzufügen.',

  adding: (done, total) => `Dateien werden gelesen: ${formatNumber(done)} von ${formatNumber(total)}`,
  paused: (done, total) => `Angehalten bei Datei ${formatNumber(done)} von ${formatNumber(total)}`,
  otherTab: 'Ein anderer Tab fügt dieser Sammlung gerade Dateien hinzu. Danach geht es hier weiter.',
  unchanged: (count) => `${documentCount(count)} unverändert.`,
  passages: (count) => `${formatNumber(count)} ${count === 1 ? 'Abschnitt' : 'Abschnitte'}`,
  timeLeft: (seconds) => `noch etwa ${formatDuration(seconds)}`,
  keepOpen: 'Lass diese Seite offen, bis alle Dateien gelesen sind.',
  indexing: (done, total) => `Wird indiziert: ${formatNumber(done)} von ${formatNumber(total)} Dateien`,
  indexingPaused: (done, total) =>
    `Das Indizieren ist angehalten: ${formatNumber(done)} von ${formatNumber(total)} Dateien`,
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
  export: 'Exportieren',
  exportOf: (name) => `Die Sammlung ${name} exportieren`,
  exporting: (done, total) => `Wird exportiert: ${formatNumber(done)} von ${documentCount(total)}`,
  exported: (name) => `Die Sammlung ${name} wurde exportiert.`,
  notExported: (count, names) =>
    `Im Archiv ${count === 1 ? 'fehlt' : 'fehlen'} ${documentCount(count)}, deren Inhalt nicht mehr vollständig ist: ${names}. Entferne sie aus der Sammlung, füge sie wieder hinzu und exportiere dann noch einmal.`,
  cancelExport: 'Den Export abbrechen',
  tooLargeToExport: 'Diese Sammlung ist zu groß für ein Archiv, das 4 GB oder 32.000 Dateien haben kann.',
  import: 'Importieren',
  importHint: 'Fügt eine Sammlung aus einem Archiv hinzu, das hier oder auf einem anderen Gerät exportiert wurde',
  checking: (done, total) =>
    total === 0
      ? 'Das Archiv wird geprüft'
      : `Das Archiv wird geprüft: ${formatNumber(done)} von ${documentCount(total)}`,
  checkingHere: 'Der Import wird abgebrochen, wenn du diese Ansicht verlässt, bevor das Archiv geprüft ist.',
  imported: (name, files) => `Die Sammlung ${name} mit ${documentCount(files)} wird importiert.`,
  damagedArchive:
    'Dieses Archiv ist beschädigt; darum wurde nichts importiert. Exportiere oder kopiere es noch einmal.',
  restNotImported:
    'Der Rest des Archivs konnte nicht gelesen werden: Es wurde inzwischen verschoben, geändert oder gelöscht. Importiere das Archiv noch einmal, um den Rest hinzuzufügen.',
  unfinished: (present, total) =>
    `Der Import wurde unterbrochen: ${formatNumber(present)} von ${documentCount(total)} sind hier. Importiert sie kein anderer Tab, dann importiere das Archiv noch einmal, um den Rest hinzuzufügen.`,
  keepUnfinished: 'So behalten',
  keepUnfinishedOf: (name) => `Die Sammlung ${name} so behalten`,
  otherArchive: 'Diese Datei ist kein Archiv einer Sammlung.',
  computedAnew: (count) =>
    `Die Vektoren von ${documentCount(count)} passen hier nicht; darum ${count === 1 ? 'wird sie' : 'werden sie'} neu indiziert.`,
  folders: 'Ordner',
  check: 'Auf Änderungen prüfen',
  checkOf: (name) => `Den Ordner ${name} auf Änderungen prüfen`,
  forget: (name) => `Den Ordner ${name} vergessen, aber nicht seine Dateien`,
  forgotten: (name) => `Der Ordner ${name} ist vergessen, seine Dateien nicht.`,
  folderDenied: (name) => `Der Browser lässt diese Seite ${name} nicht lesen. Erlaube es und prüfe noch einmal.`,
  folderGone: (name) =>
    `Der Ordner ${name} konnte nicht gelesen werden; vielleicht wurde er verschoben oder gelöscht. Füge ihn von seinem neuen Ort aus hinzu.`,
  absent: (count, folder) =>
    `${documentCount(count)} der Sammlung ${count === 1 ? 'ist' : 'sind'} nicht mehr im Ordner ${folder}.`,
  absentFiles: 'Dateien, die nicht mehr im Ordner sind',
  removeAbsent: 'Aus der Sammlung entfernen',
  keepAbsent: 'Behalten',
  absentRemoved: (count) => `${documentCount(count)} entfernt.`,
  fileList: 'Dateien',
  fileStates: {
    in_progress: 'wird indiziert',
    completed: '',
    failed: 'konnte nicht indiziert werden',
    cancelled: 'wurde nicht indiziert',
  },
  more: (count) => `${formatNumber(count)} weitere zeigen`,
  remove: (name) => `${name} entfernen`,
  confirmRemove: (name) => ({
    heading: `Die Datei ${name} löschen?`,
    words:
      'Ein Programm hat sie hinzugefügt, und vielleicht gibt es keine andere Kopie. Sie wird aus allen Sammlungen gelöscht und lässt sich nicht zurückholen.',
    action: 'Löschen',
  }),
  removed: (name) => `${name} wurde entfernt.`,
  delete: 'Löschen',
  deleteOf: (name) => `Sammlung löschen: ${name}`,
  confirmDelete: (name, files, isOfPage) => ({
    heading: `Die Sammlung ${name} löschen?`,
    words:
      files === 0
        ? 'Sie hat keine Dateien. Antworten in Chats behalten die Stellen, die sie zeigen.'
        : `${documentCount(files)} und der Index werden auf dieser Website gelöscht. ${isOfPage ? 'Deine eigenen Dateien bleiben, wo sie sind' : 'Ein Programm oder eine frühere Version dieser Seite hat sie angelegt: Vielleicht gibt es keine andere Kopie ihrer Dateien'}. Antworten in Chats behalten die Stellen, die sie zeigen.`,
    action: 'Löschen',
  }),
  deleted: (name) => `Die Sammlung ${name} wurde gelöscht.`,
};
