/**
 * Characters beside which emphasis may begin or end, regardless of the character on the other side: letters of all
 * scripts but Latin, Greek and Cyrillic, because many of these scripts write words without spaces, and the punctuation
 * of Chinese, Japanese and Korean.
 */
const OPEN =
  '(?:[\\u3000-\\u303f\\u30a0\\u30fb\\u30fc\\u3200-\\u33ff\\ufe10-\\ufe1f\\ufe30-\\ufe6f\\uff01-\\uffee]' +
  '|(?![\\p{sc=Latin}\\p{sc=Greek}\\p{sc=Cyrillic}\\p{sc=Common}\\p{sc=Inherited}])[\\p{L}\\p{M}])';
/** Punctuation and symbols except those in {@link OPEN}. */
const PUNCTUATION = `(?:(?!~|${OPEN})[\\p{P}\\p{S}])`;
/** A character in neither class above and no space, such as a Latin letter or a digit. */
const PLAIN = `(?!${OPEN})[^\\s\\p{P}\\p{S}]`;
const SPACE = '(?:(?!\\u3000)\\s)';

/**
 * Returns alternatives two to seven of Marked's regular expression for closing delimiters. Marked identifies an
 * alternative by its position: two match delimiters that only close, two those that only open, and two those that do
 * both.
 */
function closing(delimiter: string, character: string): string {
  // Beside asterisks, Marked treats a tilde as a letter.
  const letter = character === '~' ? `(?:${PLAIN})` : `(?:~|${PLAIN})`;
  const run = `(${delimiter})(?!${character})`;
  const not = `(?!${character})`;
  return [
    `${not}${PUNCTUATION}(${delimiter})(?=${SPACE}|$)`,
    `(?:${letter}(?=${delimiter}(?!${character})(?:${SPACE}|${PUNCTUATION}|$))|${OPEN}(?=${delimiter}(?!${character})(?:${SPACE}|$)))${run}`,
    `(?:${SPACE}(?=${delimiter}(?:${letter}|${OPEN}))|${not}${PUNCTUATION}(?=${delimiter}${letter}))(${delimiter})`,
    `${SPACE}${run}(?=${PUNCTUATION})`,
    `(?:${not}${PUNCTUATION}(?=${delimiter}(?!${character})(?:${PUNCTUATION}|${OPEN}))|${OPEN}(?=${delimiter}(?!${character})${PUNCTUATION}))${run}`,
    `(?:${letter}|${OPEN})(${delimiter})(?=${letter}|${OPEN})`,
  ].join('|');
}

/**
 * Rules that replace Marked's, so that emphasis works beside scripts without spaces: `**「重要」**です` and `**注意：**这`.
 * CommonMark would treat these delimiters as only closing or only opening. The rules are those of CommonMark's
 * CJK-friendly amendments (github.com/tats-u/markdown-cjk-friendly), for more scripts. `_` keeps CommonMark's rules.
 */
export const EMPHASIS_RULES = {
  emStrongLDelim: new RegExp(
    `^(?:\\*+(?:((?!\\*)${PUNCTUATION})|([^\\s*]))?)|^_+(?:((?!_)(?!~)[\\p{P}\\p{S}])|([^\\s_]))?`,
    'u',
  ),
  emStrongRDelimAst: new RegExp(`^[^_*]*?__[^_*]*?\\*[^_*]*?(?=__)|[^*]+(?=[^*])|${closing('\\*+', '\\*')}`, 'gu'),
  delLDelim: new RegExp(`^~~?(?:((?!~)${PUNCTUATION})|[^\\s~])`, 'u'),
  delRDelim: new RegExp(`^[^~]+(?=[^~])|${closing('~~?', '~')}`, 'gu'),
  /** Tests the character before an opening delimiter. */
  punctuation: new RegExp(`^((?![*_])(?:[\\s\\p{P}\\p{S}]|${OPEN}))`, 'u'),
} as const;
