import { rangesOf } from '../common/found-words.ts';

/** Characters of a text whose Markdown is read, around what was found: the search looks at many, and is not to keep the page busy. */
const MOST = 1000;

/** A text, or a piece of one, in which words were found. */
interface FoundText {
  /** Whether it is Markdown. */
  readonly isAnswer: boolean;
  readonly text: string;
  readonly words: string;
}

/** The text as it is read where it is drawn; as it was written where what was found is in nothing that is read, such as the address of a link. */
export async function seenText({ isAnswer, text, words }: FoundText): Promise<string> {
  if (!isAnswer) return text;
  // Without it the marks are seen.
  const renderer = await import('../markdown/renderer.ts').catch(() => null);
  const seen = renderer?.plainText(around(text, words)).trim() ?? text;
  return words !== '' && rangesOf(words, seen).length === 0 ? text : seen;
}

/** What stands around the first of the words, from the beginning of a line. */
function around(text: string, words: string): string {
  const [place = 0] = rangesOf(words, text)[0] ?? [];
  const start = place < MOST / 2 ? 0 : Math.max(text.lastIndexOf('\n', place - MOST / 4), place - MOST / 2);
  return text.slice(start, start + MOST);
}
