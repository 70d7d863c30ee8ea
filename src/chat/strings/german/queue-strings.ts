import type { Translation } from '../page-language.ts';
import type * as english from '../queue-strings.ts';

export const queueStrings: Translation<typeof english.queueStrings> = {
  label: 'Wartende Fragen',
  next: 'Als Nächstes',
  waits: 'Deine Frage wartet auf das Ende der Antwort.',
  files: (count) => `${count} ${count === 1 ? 'Datei' : 'Dateien'}`,
  edit: 'Ins Feld zurückholen',
  remove: 'Nicht fragen',
  sendNow: 'Jetzt senden',
  closedTabs: 'Nicht gesendet, aus geschlossenen Tabs',
  delete: 'Löschen',
  unread: 'Die wartenden Fragen ließen sich nicht lesen. Versuche „Jetzt senden“.',
  noRoom: 'Es ist kein Platz, um diese Frage bis zum Ende der Antwort aufzuheben. Sende sie dann.',
};
