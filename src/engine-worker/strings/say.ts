import {
  wordsOf,
  type CodedSentence,
  type CodedText,
  type EngineSentences,
  type SentenceTable,
} from '../../shared/coded-sentence.ts';
import { downloadSentences } from './download-sentences.ts';
import { ggufSentences } from './gguf-sentences.ts';
import { loadingSentences } from './loading-sentences.ts';
import { pageTaskSentences } from './page-task-sentences.ts';

/** The English words of every sentence of the engine. */
export const engineSentences: SentenceTable<EngineSentences> = {
  ...loadingSentences,
  ...pageTaskSentences,
  ...ggufSentences,
  ...downloadSentences,
};

/** Returns a sentence: in English for the console and `/v1`, and as a code with values for pages. */
export function say<Code extends keyof EngineSentences>(code: Code, ...values: EngineSentences[Code]): CodedText {
  const sentence = { code, values } as CodedSentence;
  return { text: wordsOf(sentence, engineSentences)!, sentences: [sentence] };
}

export function joinTexts(...texts: readonly CodedText[]): CodedText {
  return {
    text: texts.map(({ text }) => text).join(' '),
    sentences: texts.flatMap(({ sentences }) => sentences),
  };
}
