/** Letters of an alphabet that make one token. Tokenizers of English models cut other languages into shorter pieces. */
const LETTERS_PER_TOKEN = 4;

/** The first code unit of the scripts that tokenizers cut into single characters: most of Asia's, and emojis. */
const FIRST_DENSE_UNIT = 0x0e00;

/**
 * Estimates how many tokens a part of a text has, without a tokenizer: one for four letters or digits of a word, one for
 * any other character that is not white space. For English the estimate is higher than what most tokenizers count.
 *
 * The sum over parts that are cut between words equals the estimate of the whole.
 * @param start Offset of the first character. Default: 0.
 * @param end Offset after the last character. Default: the text's length.
 */
export function estimateTokens(text: string, start = 0, end = text.length): number {
  let tokens = 0;
  let letters = 0;
  for (let index = start; index < end; index += 1) {
    const unit = text.charCodeAt(index);
    if (isLetter(unit)) {
      if (letters % LETTERS_PER_TOKEN === 0) tokens += 1;
      letters += 1;
    } else {
      letters = 0;
      if (!isSpace(unit)) tokens += 1;
    }
  }
  return tokens;
}

/** Whether a code unit is white space, as `\s` of a regular expression says. */
export function isSpace(unit: number): boolean {
  if (unit <= 0x20) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  if (unit < 0xa0) return false;
  return (
    unit === 0xa0 ||
    unit === 0x1680 ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x3000 ||
    unit === 0xfeff
  );
}

function isLetter(unit: number): boolean {
  if (unit < 0x80) return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || isDigit(unit);
  return unit >= 0xaa && unit < FIRST_DENSE_UNIT && unit !== 0xd7 && unit !== 0xf7;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}
