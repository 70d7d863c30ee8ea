import { rangesOf } from '../common/found-words.ts';

/** Characters of a text whose Markdown is read: a longer one, which no model writes at once, would keep the search waiting. */
const LONGEST = 20_000;

/** A text, or a piece of one, in which words were found. */
interface FoundText {
  /** Whether it is Markdown. */
  readonly isAnswer: boolean;
  readonly text: string;
  readonly words: string;
}

/** The text as it is read where it is drawn; as it was written where what was found is in nothing that is read, such as the address of a link. */
export async function seenText({ isAnswer, text, words }: FoundText): Promise<string> {
  if (!isAnswer || text.length > LONGEST) return text;
  // Without it the marks are seen.
  const renderer = await import('../markdown/renderer.ts').catch(() => null);
  const seen = renderer?.plainText(text).trim() ?? text;
  return words !== '' && rangesOf(words, seen).length === 0 ? text : seen;
}
