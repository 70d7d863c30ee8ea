import type * as english from '../answer-tools.ts';
import type { Translation } from '../language.ts';

export const answerToolStrings: Translation<typeof english.answerToolStrings> = {
  askAnother: 'Auch ein anderes Modell fragen',
  readAloud: 'Vorlesen',
  stopReading: 'Vorlesen beenden',
};
