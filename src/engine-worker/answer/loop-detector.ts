/** Limit of the most recent characters of prose that are searched for a loop. */
const MAX_KEPT = 16_000;

/** Number of new characters after which the text is judged again. */
const STEP = 100;

/**
 * Numbers of recent words that are judged. They are a loop if at most one in {@link REPETITIONS} of their four-word
 * sequences occurs for the first time.
 */
const WINDOWS = [160, 640] as const;
const REPETITIONS = 10;
const SEQUENCE = 4;

/** Matches one unit of comparison: a word (long words are cut), a character of a script without spaces, or a sign. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]|[\p{L}\p{M}\p{N}]{1,8}|[^\s]/gu;

/**
 * Matches a line that may repeat in a correct answer: of a table, a formula in columns, indented code, or a horizontal
 * rule, also if it is quoted.
 */
const LAWFUL_LINE = /^(?: {4}|\t)|^[ >]*\||\S \| \S|&.*\\\\\s*$|^[\s*_=~#.|+-]*$/;

const FENCE = /^[ >]*(```|~~~|\$\$|\\\[|\\\]|\\begin\{|\\end\{)/;

/** Matches the beginning of a list item, with its number or check box. */
const ITEM = /^\s*(?:[-*+•]|\d+[.)]|[a-z][.)])\s+(?:\[[ x]\]\s*)?/i;

/** Limit of words in a list item that may repeat, such as "Yes" or "no entry". */
const SHORT_ITEM = 3;

/**
 * Detects that a model repeats itself endlessly: over a long stretch of prose it writes the same few words. Code,
 * formulas, tables and short list items may repeat, and never count as a loop. When in doubt it misses a loop rather
 * than ending a correct answer.
 */
export class LoopDetector {
  /** The prose since the last line that is allowed to repeat, such as code. */
  #prose = '';
  /** The current, incomplete line. */
  #line = '';
  #isFenced = false;
  #unjudged = 0;
  #found = false;

  get found(): boolean {
    return this.#found;
  }

  push(text: string): void {
    if (this.#found) return;
    const [first = '', ...others] = text.split('\n');
    this.#line += first;
    for (const line of others) {
      this.#endLine();
      this.#line = line;
    }
    this.#unjudged += text.length;
    if (this.#unjudged < STEP) return;
    this.#unjudged = 0;
    const isProse = !this.#isFenced && !LAWFUL_LINE.test(this.#line) && !FENCE.test(this.#line);
    this.#found = isLoop(this.#prose + (isProse ? this.#line.replace(ITEM, '') : ''));
    // Of a long line that has not ended, only the last characters are searched for a loop.
    if (this.#line.length > MAX_KEPT) this.#line = this.#line.slice(-MAX_KEPT);
  }

  #endLine(): void {
    const line = this.#line;
    if (FENCE.test(line)) {
      this.#isFenced = !this.#isFenced;
      this.#prose = '';
    } else if (this.#isFenced || line.trim() === '') {
      // A blank line may separate paragraphs of one loop, so it does not reset the prose.
    } else if (LAWFUL_LINE.test(line) || isShortItem(line)) {
      this.#prose = '';
    } else this.#prose = `${this.#prose}${line.replace(ITEM, '')}\n`.slice(-MAX_KEPT);
  }
}

function isShortItem(line: string): boolean {
  return ITEM.test(line) && (line.replace(ITEM, '').match(/\p{L}+/gu)?.length ?? 0) <= SHORT_ITEM;
}

function isLoop(text: string): boolean {
  const words = text.match(WORD) ?? [];
  return WINDOWS.some((window) => {
    if (words.length < window) return false;
    const latest = words.slice(-window);
    const sequences = new Set(
      latest.slice(SEQUENCE - 1).map((_, index) => latest.slice(index, index + SEQUENCE).join(' ')),
    );
    return sequences.size <= window / REPETITIONS;
  });
}
