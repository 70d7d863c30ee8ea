import { estimateTokens, isSpace } from './estimate-tokens.ts';

/** A part of a text, from `start` up to but not including `end`. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
  /** Its estimated tokens. */
  readonly tokens: number;
}

/** Characters that are searched for the ends of sentences at once, which bounds the memory for a text without lines. */
const WINDOW = 20_000;

const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });
const WORDS = new Intl.Segmenter('en', { granularity: 'word' });

/** Cuts lines into pieces of at most `maxTokens`, at the ends of lines if possible, else as {@link cutText}. */
export function* cutLines(
  text: string,
  start: number,
  end: number,
  maxTokens: number,
): Generator<TextRange, undefined> {
  for (let at = start; at < end;) {
    let lineEnd = at;
    while (lineEnd < end && text[lineEnd] !== '\n') lineEnd += 1;
    const tokens = estimateTokens(text, at, lineEnd);
    if (tokens > maxTokens) yield* cutText(text, at, lineEnd, maxTokens);
    else if (tokens > 0) yield { start: at, end: lineEnd, tokens };
    at = lineEnd + 1;
  }
}

/**
 * Cuts running text into pieces of at most `maxTokens`: sentences, or words where a sentence is longer. Only a word that
 * is longer itself is cut, and never within a character. White space around a piece is left out.
 */
export function* cutText(text: string, start: number, end: number, maxTokens: number): Generator<TextRange, undefined> {
  for (let at = start; at < end;) {
    const limit = windowEnd(text, at, end);
    let next = limit;
    const sentences = Array.from(SENTENCES.segment(text.slice(at, limit)), ({ index }) => at + index);
    // The last sentence of a window may go on after it.
    if (limit < end && sentences.length > 1) next = sentences.pop()!;
    for (const [index, from] of sentences.entries()) {
      const sentence = trimmed(text, from, sentences[index + 1] ?? next);
      if (sentence.tokens > maxTokens) yield* cutWords(text, sentence.start, sentence.end, maxTokens);
      else if (sentence.tokens > 0) yield sentence;
    }
    at = next;
  }
}

/** Cuts a text into pieces of at most `maxTokens` and as many words as possible. */
function* cutWords(text: string, start: number, end: number, maxTokens: number): Generator<TextRange, undefined> {
  let from = start;
  let to = start;
  let tokens = 0;
  for (const word of wordsOf(text, start, end, maxTokens)) {
    if (tokens + word.tokens > maxTokens) {
      yield { start: from, end: to, tokens };
      tokens = 0;
    }
    if (tokens === 0) from = word.start;
    to = word.end;
    tokens += word.tokens;
  }
  if (tokens > 0) yield { start: from, end: to, tokens };
}

/**
 * Returns the words of a text: what white space separates and, if that has more than `maxTokens`, the words that a
 * dictionary finds in it, as Chinese, Japanese and Thai have no spaces.
 */
export function* wordsOf(text: string, start: number, end: number, maxTokens: number): Generator<TextRange, undefined> {
  for (let at = start; at < end;) {
    while (at < end && isSpace(text.charCodeAt(at))) at += 1;
    const from = at;
    while (at < end && !isSpace(text.charCodeAt(at))) at += 1;
    const tokens = estimateTokens(text, from, at);
    if (tokens > maxTokens) yield* cutUnspaced(text, from, at, maxTokens);
    else if (tokens > 0) yield { start: from, end: at, tokens };
  }
}

function* cutUnspaced(text: string, start: number, end: number, maxTokens: number): Generator<TextRange, undefined> {
  for (let at = start; at < end;) {
    const limit = windowEnd(text, at, end);
    let next = limit;
    const words = Array.from(WORDS.segment(text.slice(at, limit)), ({ index }) => at + index);
    if (limit < end && words.length > 1) next = words.pop()!;
    for (const [index, from] of words.entries()) {
      const to = words[index + 1] ?? next;
      const tokens = estimateTokens(text, from, to);
      if (tokens > maxTokens) yield* cutCharacters(text, from, to, maxTokens);
      else yield { start: from, end: to, tokens };
    }
    at = next;
  }
}

/** Cuts a word after every `maxTokens` code units, which are at most that many tokens. */
function* cutCharacters(text: string, start: number, end: number, maxTokens: number): Generator<TextRange, undefined> {
  for (let at = start; at < end;) {
    const next = beforeCharacter(text, at, Math.min(end, at + maxTokens));
    yield { start: at, end: next, tokens: estimateTokens(text, at, next) };
    at = next;
  }
}

/** Returns the end of the window that begins at `at`: at white space if there is any, and never within a character. */
function windowEnd(text: string, at: number, end: number): number {
  const limit = at + WINDOW;
  if (limit >= end) return end;
  for (let index = limit; index > at; index -= 1) if (isSpace(text.charCodeAt(index))) return index;
  return beforeCharacter(text, at, limit);
}

/** Returns `limit`, or one less if that would cut a surrogate pair. */
function beforeCharacter(text: string, at: number, limit: number): number {
  const isPair = /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(limit - 1, limit + 1));
  return isPair && limit - 1 > at ? limit - 1 : limit;
}

/** Returns a range without the white space at its ends. */
export function trimmed(text: string, start: number, end: number): TextRange {
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return { start, end, tokens: estimateTokens(text, start, end) };
}
