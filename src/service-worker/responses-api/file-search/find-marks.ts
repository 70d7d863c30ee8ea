/** A mark in an answer, such as `[1]`, `[1, 3]`, `[1-3]` or `【1】`. */
interface Mark {
  /** Where it begins in the text. */
  readonly index: number;
  /** The numbers that it names, each once. */
  readonly numbers: readonly number[];
}

/** How far a text that grows was searched. */
export interface MarkSearch {
  /** Where the search continues. */
  at: number;
  /** The characters that opened the block of code at `at`; empty outside of one. */
  fence: string;
  /** How many backticks opened what may be code within a line; 0 outside of it. */
  ticks: number;
  /** The marks since these backticks. They count if the same number of backticks does not follow in the paragraph. */
  held: Mark[];
  /** Where the last mark ended; another one may follow it at once. */
  lastEnd: number;
}

/** The most characters of a mark or of the end of a paragraph; a longer one may be missed if it comes in pieces. */
const MAX_TOKEN = 48;

const FENCE = String.raw`(?<=^ {0,3})(?<fence>\x60{3,}(?=[^\x60\n]*$)|~{3,})`;
const TICKS = '(?<ticks>`+)';
const PARAGRAPH_END = String.raw`(?<end>\n[ \t]*\n)`;
const NUMBERS = String.raw`\d{1,2}(?: ?(?:[,;]|[-–]) ?\d{1,2}){0,7}`;
const MARK = String.raw`\[(?<numbers>${NUMBERS})\]|【(?<wide>${NUMBERS})】`;
const TOKEN = new RegExp([FENCE, TICKS, PARAGRAPH_END, MARK].join('|'), 'gm');

/**
 * Returns the marks that the last piece of a growing text completed. No marks are the indexes of lists (`a[1]`), the texts
 * and numbers of links (`[1](…)`, `[…][1]`), footnotes (`[^1]`), and anything within code. The time for all pieces is
 * linear in the length of the text.
 * @param search Is updated.
 * @param isComplete Whether nothing follows the text.
 */
export function findMarks(search: MarkSearch, text: string, isComplete: boolean): readonly Mark[] {
  const found: Mark[] = [];
  TOKEN.lastIndex = search.at;
  for (let token = TOKEN.exec(text); token !== null; token = TOKEN.exec(text)) {
    const end = TOKEN.lastIndex;
    const isUndecided = token.groups!.fence === undefined ? end === text.length : !text.includes('\n', end);
    if (isUndecided && !isComplete) {
      search.at = token.index;
      return found;
    }
    search.at = end;
    readToken(search, text, token, found);
  }
  search.at = Math.max(search.at, text.length - MAX_TOKEN);
  if (isComplete) release(search, found);
  return found;
}

function readToken(search: MarkSearch, text: string, token: RegExpExecArray, found: Mark[]): void {
  const { fence, ticks, end, numbers, wide } = token.groups!;
  if (search.fence !== '') {
    if (fence?.startsWith(search.fence)) search.fence = '';
  } else if (fence !== undefined) {
    release(search, found);
    search.fence = fence;
  } else if (end !== undefined) release(search, found);
  else if (ticks !== undefined) {
    if (search.ticks === 0) search.ticks = ticks.length;
    else if (search.ticks === ticks.length) [search.ticks, search.held] = [0, []];
  } else if (isCitation(search, text, token)) {
    const mark = { index: token.index, numbers: numbersOf(numbers ?? wide ?? '') };
    search.lastEnd = token.index + token[0].length;
    if (search.ticks === 0) found.push(mark);
    else search.held.push(mark);
  }
}

/** Returns the marks after backticks that turned out to open no code. */
function release(search: MarkSearch, found: Mark[]): void {
  found.push(...search.held);
  [search.ticks, search.held] = [0, []];
}

/**
 * Matches a name in a program: `a`, `x2`, `my_list`, `userNames`. Numbers, units (`kWh`, `m²`), short words and names of
 * products (`JavaScript`) are none.
 */
const PROGRAM_NAME = /^\p{Script=Latin}$|^\p{Ll}+(?:\d|(?<=\p{Ll}{2})\p{Lu})[\p{L}\p{N}]*$|[_$][\p{L}\p{N}]+$|\]$/u;

/** The most characters of a name that are looked at. */
const MAX_NAME = 40;

/**
 * Whether numbers in brackets are neither the index of a list nor a part of a link. Models often write a mark directly
 * after a word (`krill[1].`), so only what looks like a name in a program makes it an index.
 */
function isCitation({ lastEnd }: MarkSearch, text: string, { index, 0: { length } }: RegExpExecArray): boolean {
  if (text[index + length] === '(') return false;
  let begin = index;
  while (index - begin < MAX_NAME && /[\p{L}\p{N}_$\]]/u.test(text[begin - 1] ?? '')) begin -= 1;
  return index === lastEnd || !PROGRAM_NAME.test(text.slice(begin, index));
}

/** Returns the numbers of a mark, those between the ends of a range too. */
function numbersOf(mark: string): readonly number[] {
  const numbers = mark.split(/[,;]/).flatMap((part) => {
    const [first = 0, last = first] = part.split(/[-–]/).map(Number);
    return Array.from({ length: Math.max(1, last - first + 1) }, (_, index) => first + index);
  });
  return [...new Set(numbers)];
}
