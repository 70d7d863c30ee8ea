import { formatNumber } from '../format.ts';
import type { Translation } from '../page-language.ts';
import type * as english from '../temporary-strings.ts';

export const temporaryStrings: Translation<typeof english.temporaryStrings> = {
  title: 'Temporärer Chat',
  words:
    'Diese Seite speichert nichts davon auf diesem Gerät: keinen Chat, keinen Entwurf, keinen Eintrag in einem Protokoll. Er lebt in diesem Tab und ist weg, sobald du ihn beendest oder den Tab neu lädst oder schließt.',
  end: 'Jetzt beenden',

  proof: 'Temporärer Chat',
  proofNote:
    'Solange einer offen ist: wie viele Einträge in jeder Datenbank, jedem Cache und jedem kleinen Speicher dieser Website lagen, als er begann, und wie viele es jetzt sind.',
  proofNone: 'In diesem Tab ist keiner offen.',
  counting: 'Wird gezählt …',
  same: (entries) => `An jedem Ort so viele Einträge wie zu Beginn: insgesamt ${formatNumber(entries)}.`,
  changed: (places) =>
    `${formatNumber(places)} ${places === 1 ? 'Ort hat' : 'Orte haben'} sich geändert. Diese Seite speichert nichts vom temporären Chat; das kann von anderen Chats, Modellen oder Tabs stammen.`,
  place: 'Ort',
  before: 'Als er begann',
  now: 'Jetzt',
  localStorage: 'kleiner Speicher',
  sessionStorage: 'kleiner Speicher dieses Tabs',
  endsNow: {
    heading: 'Den temporären Chat beenden?',
    words: 'Seine Nachrichten sind dann weg, auch was du getippt oder angehängt hast.',
    action: 'Beenden',
  },
  ends: {
    heading: 'Den temporären Chat beenden?',
    words: 'Dafür wird die Seite neu geladen. Der temporäre Chat ist dann weg; alles andere bleibt.',
    action: 'Beenden und neu laden',
  },
  loses: {
    heading: 'Die Chats dieser Seite verlieren?',
    words:
      'Dafür wird die Seite neu geladen. Der Browser konnte ihre Chats nicht speichern; sie sind dann weg. Exportiere die, die du behalten möchtest.',
    action: 'Verlieren und neu laden',
  },
};
