import { formatNumber } from '../format.ts';
import type { Translation } from '../page-language.ts';
import type * as english from '../source-strings.ts';
import { documentCount } from './document-count.ts';

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
  save: 'Datei speichern',
  page: (page) => `Seite ${formatNumber(page)}`,
  leftOut: '[…]',
};
