/** Characters of prose that are kept. */
const MOST_KEPT = 16_000;

/** Characters after which the text is judged again. */
const STEP = 100;

/** A loop: of so many words, at most one in {@link REPETITIONS} sequences of four begins something new. */
const WINDOWS = [160, 640] as const;
const REPETITIONS = 10;
const SEQUENCE = 4;

/**
 * The parts that are compared: words, cut where they are long, single characters of scripts without spaces, and single signs.
 */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]|[\p{L}\p{M}\p{N}]{1,8}|[^\s]/gu;

/** Lines that may repeat: tables, formulas in several columns, indented code, rules, quotes of any of them. */
const LAWFUL_LINE = /^(?: {4}|\t)|^[ >]*\||\S \| \S|&.*\\\\\s*$|^[\s*_=~#.|+-]*$/;

const FENCE = /^[ >]*(```|~~~|\$\$|\\\[|\\\]|\\begin\{|\\end\{)/;

/** The beginning of an item of a list, with its number or box. */
const ITEM = /^\s*(?:[-*+•]|\d+[.)]|[a-z][.)])\s+(?:\[[ x]\]\s*)?/i;

/** Words of an item that a list may repeat, such as "Yes" or "no entry". */
const SHORT_ITEM = 3;

/**
 * Notices that a model is stuck: over a long stretch of prose it writes the same few words. Code, formulas, tables and short items
 * of lists may repeat, and are never taken for a loop. So it rather misses a loop than ends an answer that is right.
 */
export class LoopDetector {
  /** The prose since the last part that may repeat, line by line. */
  #prose = '';
  /** The line that is not complete yet. */
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
    // A line without end is prose that goes on.
    if (this.#line.length > MOST_KEPT) this.#line = this.#line.slice(-MOST_KEPT);
  }

  #endLine(): void {
    const line = this.#line;
    if (FENCE.test(line)) {
      this.#isFenced = !this.#isFenced;
      this.#prose = '';
    } else if (this.#isFenced || line.trim() === '') {
      // Blank lines part paragraphs that may be the same.
    } else if (LAWFUL_LINE.test(line) || isShortItem(line)) {
      this.#prose = '';
    } else this.#prose = `${this.#prose}${line.replace(ITEM, '')}\n`.slice(-MOST_KEPT);
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
