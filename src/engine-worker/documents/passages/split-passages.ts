import { cutLines, cutText, trimmed, wordsOf, type TextRange } from './cut-range.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { findBlocks, type Block } from './find-blocks.ts';
import type { Passage, PassageLimits } from './passage.ts';

/** A heading ends a passage that has at least this share of its largest number of tokens. */
const SHARE_BEFORE_HEADING = 1 / 4;

/** Largest share of a passage's tokens for the headings above it, and for the repeated header of a table. */
const SHARE_OF_CONTEXT = 1 / 4;

/** The passage that is being filled. */
interface OpenPassage extends Omit<Passage, 'end'> {
  /** Offset after its last piece. */
  end: number;
  tokens: number;
  /** Offset after its last piece that is not a heading; null if it has only headings yet. */
  bodyEnd: number | null;
  /** The headings at its end, which go to the next passage if nothing else fits into this one; null if there are none. */
  last: (Pick<Passage, 'start' | 'headings'> & { readonly tokens: number }) | null;
}

interface PathHeading {
  readonly level: number;
  readonly title: string;
}

/**
 * Splits a document into passages by its own structure: at headings, pages, paragraphs, items of lists, rows of tables
 * and lines of code or logs; longer paragraphs at sentences, longer sentences between words. Together the passages have
 * every word of the document. A word is cut only if it has more than `maxTokens` itself.
 *
 * The time is linear, and the passages come one by one, so that a caller can pause between them.
 */
export function* splitPassages(text: string, limits: PassageLimits): Generator<Passage, undefined> {
  const { maxTokens, overlapTokens = 0 } = limits;
  const contextTokens = Math.floor((maxTokens - overlapTokens) * SHARE_OF_CONTEXT);
  const hasPages = text.includes('\f');
  const path: PathHeading[] = [];
  let page = 1;
  let open = null as OpenPassage | null;
  for (const block of findBlocks(text)) {
    if (block.kind === 'page') {
      if (open !== null) yield closed(open);
      open = null;
      page += 1;
      continue;
    }
    const isHeading = block.kind === 'heading';
    if (isHeading) {
      while (path.length > 0 && path.at(-1)!.level >= block.level) path.pop();
      if (open !== null && open.bodyEnd !== null && open.tokens >= maxTokens * SHARE_BEFORE_HEADING) {
        const next = continuedBy(text, open);
        yield closed(open, next);
        open = next;
      }
    }
    const headings = fittingPath(path, contextTokens);
    const tableHeader = block.kind === 'table' && estimateTokens(block.header) <= contextTokens ? block.header : '';
    const headingTokens = estimateTokens(headings.join(' > '));
    const fitting = maxTokens - overlapTokens - headingTokens - estimateTokens(tableHeader);
    // What follows a heading is cut, if need be, so that the heading does not stay alone.
    const rest: number = open?.bodyEnd === null ? maxTokens - open.tokens : fitting;
    const ownTokens = rest < maxTokens / 2 ? fitting : Math.min(rest, fitting);
    const whole = trimmed(text, block.start, block.end);
    const hasHeader = text.startsWith(tableHeader, whole.start);
    for (const piece of piecesOf(text, block, whole, ownTokens)) {
      let { start } = piece;
      while (open !== null && open.tokens + piece.tokens > maxTokens) {
        const next = continuedBy(text, open);
        if (open.bodyEnd !== null && next === null && !isHeading)
          start = overlapStart(text, open, overlapTokens) ?? start;
        yield closed(open, next);
        open = next;
      }
      if (open === null) {
        const repeated = hasHeader && start <= whole.start ? '' : tableHeader;
        const tokens = headingTokens + estimateTokens(repeated) + estimateTokens(text, start, piece.start);
        open = { ...begun(start, headings, hasPages ? page : null, tokens), tableHeader: repeated };
      }
      if (isHeading && open.bodyEnd !== null) open.last ??= { start, headings, tokens: headingTokens };
      open.end = piece.end;
      open.tokens += piece.tokens;
      if (!isHeading) [open.bodyEnd, open.last] = [piece.end, null];
    }
    if (isHeading) path.push({ level: block.level, title: block.title });
  }
  if (open !== null) yield closed(open);
}

function begun(start: number, headings: readonly string[], page: number | null, tokens: number): OpenPassage {
  return { start, end: start, headings, tableHeader: '', page, tokens, bodyEnd: null, last: null };
}

/** Returns the passage that the headings at the end of another one begin; null if it ends with none. */
function continuedBy(text: string, { last, end, page }: OpenPassage): OpenPassage | null {
  if (last === null) return null;
  const { start, headings, tokens } = last;
  return { ...begun(start, headings, page, tokens + estimateTokens(text, start, end)), end };
}

/** Returns a passage, without the headings at its end if the next passage has them. */
function closed(open: OpenPassage, next: OpenPassage | null = null): Passage {
  const { start, headings, tableHeader, page } = open;
  return { start, end: next === null ? open.end : open.bodyEnd!, headings, tableHeader, page };
}

/** Returns the innermost headings that have at most `maxTokens`. */
function fittingPath(path: readonly PathHeading[], maxTokens: number): readonly string[] {
  const titles: string[] = [];
  let tokens = 0;
  for (const { title } of path.toReversed()) {
    tokens += estimateTokens(title) + 1;
    if (tokens > maxTokens) break;
    titles.unshift(title);
  }
  return titles;
}

/** Returns the parts of a block that stay together, each with at most `maxTokens`. */
function piecesOf(text: string, block: Block, whole: TextRange, maxTokens: number): Iterable<TextRange> {
  if (whole.tokens <= maxTokens) return whole.tokens === 0 ? [] : [whole];
  const isByLine = block.kind === 'lines' || block.kind === 'table';
  return (isByLine ? cutLines : cutText)(text, block.start, block.end, maxTokens);
}

/** Returns where the last words of a passage begin that have at most `maxTokens` together; null if there are none. */
function overlapStart(text: string, { start, end }: OpenPassage, maxTokens: number): number | null {
  if (maxTokens === 0) return null;
  let from: number | null = null;
  let tokens = 0;
  for (const word of [...wordsOf(text, start, end, maxTokens)].toReversed()) {
    tokens += word.tokens;
    if (tokens > maxTokens) break;
    from = word.start;
  }
  return from;
}
