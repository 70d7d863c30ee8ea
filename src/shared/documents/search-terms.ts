/**
 * Numbers with commas between their groups of digits, also as in India; words, other numbers and what joins several of them
 * to one identifier, version, date, path or address.
 */
const TOKEN =
  /(?<!,)\d{1,3}(?:,\d\d)*(?:, ?\d{3})+\b(?:\.\d+)?|[\p{L}\p{N}\p{M}]+(?:[._\-/:@+'’][\p{L}\p{N}\p{M}]+)*/gu;

const PART = /[\p{L}\p{N}\p{M}]+/gu;

/** Letters of languages that write no spaces between words, or, like Korean, attach particles to them. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

/**
 * Marks that people leave out when they search: accents of alphabets, vowel points of Hebrew and Arabic, places at which a
 * word may be divided, and the line that makes an Arabic word longer.
 */
const MARKS =
  /[\u00ad\u0640]|(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+|[\u0591-\u05C7\u064B-\u0652\u0670]/gu;

/** Letters without a decomposition, as they are written where they are missing. */
const SPELLINGS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  þ: 'th',
};

/**
 * Returns the terms by which a text is found, in their order: words without case, accents and common endings; numbers
 * without leading zeros and separators of thousands; identifiers, versions and dates as a whole and in their parts; and
 * pairs of neighbouring characters of languages without spaces.
 */
export function searchTerms(text: string): readonly string[] {
  const terms: string[] = [];
  for (const [token] of fold(text).matchAll(TOKEN)) {
    const parts = token.match(PART)!;
    for (const part of parts) addPart(terms, part);
    if (parts.length > 1) terms.push(...(ungrouped(token) ?? [parts.join('.').toLowerCase()]));
  }
  return terms;
}

/** What precedes a word of Arabic or Hebrew without a space: the article, "and", "in", "to" and the like. */
const PREFIX = /^(?:[وفبك]?ال(?=\p{L}{2})|لل(?=\p{L}{2})|[והבלמשכ](?=\p{L}{3}))/u;

/** Most texts have no letters of these scripts, and need no look at each. */
const FURTHER_SCRIPTS = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Arabic}\p{Script=Hebrew}٠-٩]/u;

/** Letters of Arabic that are often written without their mark. */
const MARKED_ALEF = /[آأإٱ]/g;

/** Runs of the digits of Arabic and Persian. */
const ARABIC_DIGITS = /[٠-٩۰-۹]+/g;

/**
 * Returns terms by which a text is found as well, in addition to {@link searchTerms}, of which a query consists: characters
 * that may be a word of their own, such as 猫 and 책; words of Arabic and Hebrew without what is written in front of them, and
 * without marks that are often left out; and numbers in the digits 0 to 9.
 */
export function furtherTerms(text: string): readonly string[] {
  if (!FURTHER_SCRIPTS.test(text)) return [];
  const folded = fold(text);
  const terms: string[] = folded.match(/[\p{Script=Han}\p{Script=Hangul}]/gu) ?? [];
  for (const [word] of folded.matchAll(/[\p{Script=Arabic}\p{Script=Hebrew}]{2,}/gu)) {
    const plain = word.replace(MARKED_ALEF, 'ا');
    const forms = new Set([word.replace(PREFIX, ''), plain, plain.replace(PREFIX, '')]);
    forms.delete(word);
    for (const form of forms) terms.push(stemOf(form));
  }
  for (const [digits] of folded.matchAll(ARABIC_DIGITS))
    terms.push(stemOf(digits.replace(/./g, (digit) => String(digit.charCodeAt(0) & 0xf))));
  return terms;
}

function addPart(terms: string[], part: string): void {
  const rest = part.replace(UNSPACED, (run) => {
    const characters = Array.from(run);
    if (characters.length === 1) terms.push(run);
    for (let index = 1; index < characters.length; index += 1) terms.push(characters[index - 1]! + characters[index]!);
    return ' ';
  });
  for (const word of rest.split(' ')) {
    if (word === '') continue;
    const lower = word.toLowerCase();
    terms.push(stemOf(lower));
    const humps = word.match(/\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+(?!\p{Ll})|\p{N}+/gu) ?? [];
    if (humps.length > 1) for (const hump of humps) terms.push(stemOf(hump.toLowerCase()));
  }
}

/**
 * Returns a number without the separators of its groups: 1,234,567, 1.234.567, or 12,34,567 as in India. If it has
 * decimals, as 1,234.50, it is also returned with these, and in its parts, by which older indexes have it. Returns null
 * for other tokens, such as the version 1.234.50.
 */
function ungrouped(token: string): readonly string[] | null {
  const [, groups, decimals] =
    /^([1-9]\d{0,2}(?:[.,'’] ?\d{3})+|[1-9]\d?(?:,\d\d)+,\d{3})(?:(?<!\.\d{3})\.(\d+))?$/.exec(token) ?? [];
  if (groups === undefined) return null;
  const whole = groups.replaceAll(/\D/g, '');
  return decimals === undefined ? [whole] : [whole, `${whole}.${decimals}`, token.match(PART)!.join('.')];
}

/** Returns a stem without knowledge of the language: the same for "bake", "baked" and "baking". Numbers lose leading zeros. */
function stemOf(word: string): string {
  if (/\p{N}/u.test(word)) return word.replace(/^0+(?=\d)/, '');
  let stem = word;
  for (let times = 0; times < 2; times += 1) stem = stem.replace(/(?<=...)(?:ings?|ed|e[srnm]?|s|n)$/, '');
  return stem.replace(/(?<=..)([^aeiou])\1$/, '$1').replace(/y$/, 'i');
}

/** Returns a text in one form of its characters, without the marks that people leave out. Case is kept. */
function fold(text: string): string {
  // Most texts of the Latin alphabet need no more.
  if (/^[\0-\x7f]*$/.test(text)) return text;
  return text
    .normalize('NFKD')
    .replace(MARKS, '')
    .normalize('NFC')
    .replace(/[ßæœøłđıþ]/giu, (letter) => SPELLINGS[letter.toLowerCase()] ?? letter);
}

/** Bits of {@link hashOf}. */
export const HASH_BITS = 24;

/**
 * Returns a number of 24 bits for a term. Of 500,000 terms, three in a hundred share theirs with another one, which costs
 * less than to keep the words.
 */
export function hashOf(term: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < term.length; index += 1) hash = Math.imul(hash ^ term.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> (32 - HASH_BITS);
}
