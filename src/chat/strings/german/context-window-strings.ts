import { formatNumber } from '../format.ts';
import type * as english from '../context-window-strings.ts';
import type { Translation } from '../page-language.ts';

export const contextStrings: Translation<typeof english.contextStrings> = {
  share: (used, window) => `${formatNumber((100 * used) / window)} %`,
  use: (used, window) =>
    `${formatNumber(used)} der ${formatNumber(window)} Token, die dieses Modell auf einmal aufnehmen kann`,
  nearlyFull: (share) =>
    `Dieser Chat nimmt ${formatNumber(100 * share)} % von dem ein, was sein Modell auf einmal aufnehmen kann. Ist er voll, gibt es keine Antwort mehr.`,
  leftOut: 'Die Nachrichten darüber werden nicht mehr an das Modell gesendet.',
  sendAgain: 'Wieder senden',
  words:
    'Ein Modell kann nur eine bestimmte Menge auf einmal aufnehmen, und in einem vollen Chat gibt es keine Antwort mehr. Wie soll es weitergehen?',
  leaveOut: 'Hier, ohne die ersten Nachrichten',
  leaveOutHelp:
    'Sie bleiben in diesem Chat, werden aber nicht mehr gesendet. Die letzten schon, so viele, wie die Hälfte des Platzes füllen.',
  nothingFits: 'Schon die letzte Frage ist zu lang für das Modell. Kürze sie.',
  summary: 'In einem neuen Chat, mit einer Zusammenfassung',
  summaryHelp: 'Das Modell fasst zusammen, was gesagt wurde. Dabei kann etwas Wichtiges verloren gehen.',
  turns: 'In einem neuen Chat, mit den letzten Nachrichten',
  turnsHelp: 'Sie werden Wort für Wort übernommen, so viele, wie ein Drittel des Platzes füllen.',
  summing: 'Das Modell fasst zusammen',
  noSummary: 'Das Modell hat keine Zusammenfassung geschrieben. Nimm stattdessen die letzten Nachrichten mit.',
  promptCounts:
    'Der System-Prompt in den Einstellungen dieses Chats zählt mit und kommt in einen neuen Chat mit: Vielleicht muss er kürzer werden.',
  cancel: 'Abbrechen',
  continued: (title) => `${title} (Fortsetzung)`,
  summaryMessage: (summary) => `Worüber wir bisher gesprochen haben:\n\n${summary}`,
};
