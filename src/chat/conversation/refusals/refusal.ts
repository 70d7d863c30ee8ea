import { ABILITIES, nearAbility } from './near-ability.ts';
import { questionLanguage } from './question-language.ts';
import { REFUSALS } from './refusal-texts.ts';

export interface Refusal {
  readonly text: string;
  /** Tag of the text's language, such as `de`. */
  readonly language: string;
}

/**
 * Returns what Pocket says to a question that it cannot answer, in the language of the question: what it is, and one
 * thing near the question that it can do.
 * @param ofPage Tag of the page's language, which is taken if the question's language is not clear.
 * @param isRepeated Whether Pocket has refused an earlier question of the chat; then the text is one short sentence.
 */
export function refusalOf(question: string, ofPage: string, isRepeated: boolean): Refusal {
  const language = questionLanguage(question) ?? (ofPage in REFUSALS ? ofPage : 'en');
  const texts = REFUSALS[language]!;
  const ability = nearAbility(question);
  return {
    text: isRepeated ? texts.again : `${texts.what} ${texts.can} ${texts[ability]} (*${ABILITIES[ability]}*)`,
    language,
  };
}
