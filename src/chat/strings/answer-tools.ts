import { localized } from './language.ts';

/** Words of what can be done with an answer beside asking again. */
export const answerToolStrings = localized('answerToolStrings', {
  askAnother: 'Ask another model too',
  readAloud: 'Read aloud',
  stopReading: 'Stop reading aloud',
});
