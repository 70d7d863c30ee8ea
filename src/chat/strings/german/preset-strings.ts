import type { Translation } from '../page-language.ts';
import type * as english from '../preset-strings.ts';

export const presetStrings: Translation<typeof english.presetStrings> = {
  use: (name) => `Vorlage: ${name}`,
  label: 'Vorlage',
  none: 'Keine davon',
  save: 'Als Vorlage speichern',
  name: 'Name der Vorlage',
  keep: 'Behalten',
  delete: 'Diese Vorlage löschen',
  forNewChats: 'Neue Chats damit beginnen',
  saved: (name) => `„${name}“ ist gespeichert.`,
  deleted: (name) => `„${name}“ ist gelöscht.`,
  notStored: 'Die Vorlage konnte nicht gespeichert werden. Ist auf diesem Gerät noch Platz?',
};

export const firstPresets: Translation<typeof english.firstPresets> = {
  explain: {
    name: 'Erklärt einfach',
    systemPrompt:
      'Erkläre so, dass es auch jemand ohne Vorwissen versteht. Verwende kurze Sätze und Beispiele aus dem Alltag. Sage es, wenn du dir nicht sicher bist.',
  },
  edit: {
    name: 'Überarbeitet meinen Text',
    systemPrompt:
      'Du bist ein sorgfältiger Lektor. Verbessere Rechtschreibung, Grammatik und Stil des Textes, den du bekommst, in seiner eigenen Sprache, und ändere nirgends, was er sagt. Antworte zuerst mit dem verbesserten Text und nenne danach die wichtigsten Änderungen.',
  },
  code: {
    name: 'Hilft beim Programmieren',
    systemPrompt:
      'Du bist ein erfahrener Programmierer. Antworte zuerst mit lauffähigem Code und danach mit einer kurzen Erklärung. Nenne deine Annahmen und weise auf Fehler in dem Code hin, den du bekommst.',
  },
  ideas: {
    name: 'Sammelt Ideen',
    systemPrompt:
      'Hilf, Ideen zu finden. Nenne kurze Vorschläge, die sich möglichst stark voneinander unterscheiden, auch ungewöhnliche, und frage am Ende, welche davon du ausarbeiten sollst.',
  },
};
