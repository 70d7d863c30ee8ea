import { ApiError } from '../../shared/api-error.ts';
import { wordsOf, type CodedSentence, type SentenceTable, type Sentences } from '../../shared/coded-sentence.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { localized } from './page-language.ts';

/**
 * The engine's sentences in the language of the page. Empty in English, in which the engine sends them: one engine
 * serves tabs of any language.
 */
const engineSentences = localized<Partial<SentenceTable<Sentences>>>('engineSentences', {});

/**
 * Returns a text of the engine in the language of the page. It stays English if it has no codes, or if this build does
 * not know one of them: an engine of another build may have sent it, or an earlier one may have stored it.
 * @param text The English text.
 * @param sentences The sentences that the text consists of, if the engine has sent them.
 */
export function inPageLanguage(text: string, sentences: readonly CodedSentence[] = []): string {
  const words = sentences.map((sentence) => wordsOf(sentence, engineSentences));
  return words.length > 0 && words.every((each) => each !== undefined) ? words.join(' ') : text;
}

/** Returns the message of a thrown value, in the language of the page if the engine has a code for it. */
export function errorInPageLanguage(thrown: unknown): string {
  return thrown instanceof ApiError ? inPageLanguage(thrown.message, thrown.sentences) : errorMessage(thrown);
}
