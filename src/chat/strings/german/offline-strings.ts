import { formatTime } from '../format.ts';
import type { Translation } from '../page-language.ts';
import type * as english from '../offline-strings.ts';

export const offlineStrings: Translation<typeof english.offlineStrings> = {
  ready: 'Funktioniert offline',
  readyExcept: (upstreams) => `Funktioniert offline, außer ${upstreams.join(', ')}`,
  notReady: 'Noch nicht offline nutzbar',
  checking: 'Offline-Nutzung wird geprüft',
  offlineNow: 'Gerade offline',
  proof: 'Nachweis, dass es offline geht',
  controlled: 'Die Seite wird von diesem Gerät beantwortet',
  uncontrolled: 'Der Service-Worker ist noch nicht für diese Seite zuständig',
  filesHere: (count) => `Alle ${count} Dateien der Seite sind gespeichert`,
  filesMissing: (missing) => `Nicht gespeichert: ${missing.slice(0, 3).join(', ')}${missing.length > 3 ? ', …' : ''}`,
  noRoom: 'Auf diesem Gerät ist kein Platz für die Dateien der Seite: Sie braucht jedes Mal das Netz.',
  modelsHere: (names) => `Alle Dateien von ${names.join(', ')} sind gespeichert`,
  noModel: 'Kein Modell ist vollständig gespeichert',
  getBuiltIn: 'Eingebautes Modell speichern',
  again: 'Noch einmal prüfen',
  checked: (time) => `Geprüft um ${formatTime(time)}, Datei für Datei`,
};
