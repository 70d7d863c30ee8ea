import type { TextBuilder } from '../text-builder.ts';
import type { ElementRule } from '../walk-markup.ts';

/**
 * Returns the rules for how Chinese or Japanese words are pronounced in a DOCX file. That stands before the words, and
 * is written after them, in parentheses.
 * @param write Called with the pronunciation.
 */
export function rubyRules(out: TextBuilder, write: (text: string) => void): Readonly<Record<string, ElementRule>> {
  let pronunciation = '';
  return {
    rt: () => {
      out.startCapture();
      return () => void (pronunciation = out.endCapture());
    },
    ruby: () => () => {
      if (pronunciation !== '') write(`(${pronunciation})`);
      pronunciation = '';
    },
  };
}
