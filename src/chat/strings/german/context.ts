import { formatNumber } from '../format.ts';
import type * as english from '../context.ts';
import type { Translation } from '../language.ts';

export const contextStrings: Translation<typeof english.contextStrings> = {
  share: (used, window) => `${formatNumber((100 * used) / window)} %`,
  use: (used, window) =>
    `${formatNumber(used)} der ${formatNumber(window)} Token, die dieses Modell auf einmal aufnehmen kann`,
  words:
    'Ein Modell kann nur eine bestimmte Menge auf einmal aufnehmen, und in einem vollen Chat gibt es keine Antwort mehr. Ein neuer Chat hat wieder Platz. Womit soll er beginnen?',
  summary: 'Eine Zusammenfassung',
  summaryHelp: 'Das Modell fasst zusammen, was gesagt wurde. Dabei kann etwas Wichtiges verloren gehen.',
  turns: 'Die letzten Nachrichten',
  turnsHelp: 'Sie werden Wort für Wort übernommen, so viele, wie ein Drittel des Platzes füllen.',
  summing: 'Das Modell fasst zusammen',
  noSummary: 'Das Modell hat keine Zusammenfassung geschrieben. Nimm stattdessen die letzten Nachrichten mit.',
  promptCounts:
    'Der System-Prompt in den Einstellungen dieses Chats zählt mit und kommt in einen neuen Chat mit: Vielleicht muss er kürzer werden.',
  temporary:
    'Ein temporärer Chat kann nicht in einem anderen weitergehen: Von ihm wird nichts aufbewahrt. Beende ihn und beginne einen neuen.',
  cancel: 'Abbrechen',
  continued: (title) => `${title} (Fortsetzung)`,
  summaryMessage: (summary) => `Worüber wir bisher gesprochen haben:\n\n${summary}`,
};
