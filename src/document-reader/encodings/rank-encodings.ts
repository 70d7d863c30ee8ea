import { decodeBytes } from './decode-bytes.ts';

/** A possible encoding of a text that is not Unicode. */
export interface RankedEncoding {
  /** A label of the Encoding Standard, `cp437` or `cp850`. */
  readonly encoding: string;
  readonly text: string;
  /** Logarithm of the encoding's plausibility, in nats; only differences between scores are meaningful. */
  readonly score: number;
}

/** Maximum bytes that are examined. */
const SAMPLE = 8192;

/** For each encoding, a pattern of the browser languages for which it was common. */
const LANGUAGES: Readonly<Record<string, RegExp>> = {
  gb18030: /^zh(?!-(?:Hant|TW|HK|MO))/i,
  big5: /^zh-(?:Hant|TW|HK|MO)/i,
  shift_jis: /^ja/,
  'euc-jp': /^ja/,
  'euc-kr': /^ko/,
  'windows-1251': /^(?:ru|uk|be|bg|sr|mk|kk)/,
  'koi8-r': /^ru/,
  ibm866: /^ru/,
  'windows-1250': /^(?:pl|cs|sk|hu|hr|sl|ro|bs|sq)/,
  'iso-8859-2': /^(?:pl|cs|sk|hu|hr|sl|ro|bs|sq)/,
  'windows-1253': /^el/,
  'windows-1254': /^(?:tr|az)/,
  'windows-1255': /^(?:he|iw|yi)/,
  'windows-1256': /^(?:ar|fa|ur)/,
  'windows-1257': /^(?:lt|lv|et)/,
  'windows-874': /^th/,
  'windows-1258': /^vi/,
  // No languages: their users need the encoding only for old files.
  'windows-1252': /^$/,
  macintosh: /^$/,
  cp850: /^$/,
  cp437: /^$/,
};

/** Points for an encoding that is common for a language of the browser. */
const USUAL = 8;
/** Points for windows-1252 (Western Europe), by far the most frequent encoding. */
const FREQUENT = 10;

/** For each multi-byte encoding, the rows of its code table with frequent characters. */
const FREQUENT_ROWS: Readonly<Record<string, readonly (readonly [code: string, from: number, to: number])[]>> = {
  gb18030: [['gb18030', 0xb0, 0xd7]],
  big5: [['big5', 0xa4, 0xc6]],
  shift_jis: [['euc-jp', 0xb0, 0xcf]],
  'euc-jp': [['euc-jp', 0xb0, 0xcf]],
  'euc-kr': [['euc-kr', 0xb0, 0xc8]],
};
/** For each multi-byte encoding, its most frequent characters. */
const MOST_FREQUENT: Readonly<Record<string, string>> = {
  gb18030:
    '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实',
  big5: '的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心本前開但因只從想實',
  shift_jis:
    '日一国会人年大十二本中長出三同時事自行社見月分後前生間対上部東者地合市業内方今回新場立手力学高代実関子動京全目表通外最言理体化田当主下意法不来作性的用',
  'euc-kr': '이다는의에가을를은고하로지도기사한서리어인시과아자대나그일수해정있것들보부전주구장',
};
const JAPANESE = ['shift_jis', 'euc-jp'];
/** Matches punctuation between words in Chinese, Japanese and Korean. */
const EASTERN_PUNCTUATION = /[\u3000-\u3011\u2014\u2018-\u201d\u2026\u00b7\uff01-\uff5e]/;
/** For each Western encoding, the letters that its languages use often. */
const USUAL_LETTERS: Readonly<Record<string, string>> = {
  'windows-1252': 'äöüßéèêëàâáíîïóôúûùñçãõåøæœÄÖÜÉÅØÇÑÀ',
  macintosh: 'äöüßéèêëàâáíîïóôúûùñçãõåøæœÄÖÜÉÅØÇÑÀ',
  cp850: 'äöüßéèêëàâáíîïóôúûùñçãõåøæÄÖÜÉÅØÇÑÀ',
  cp437: 'äöüßéèêëàâáíîïóôúûùñçåæÄÖÜÉÅÇÑ',
  'windows-1258': 'ăâđêôơưáàảãạắằẳẵặấầẩẫậéèẻẽẹếềểễệíìỉĩịóòỏõọốồổỗộớờởỡợúùủũụứừửữựýỳỷỹỵĐÂÔƯ',
  'windows-1250': 'ąćęłńóśźżáčéěíňřšťúůýžőűöüäăâîşţđŁŚŻČŘŠŽ',
  'iso-8859-2': 'ąćęłńóśźżáčéěíňřšťúůýžőűöüäăâîşţđŁŚŻČŘŠŽ',
  'windows-1254': 'çğıöşüâîÇĞİÖŞÜ',
  'windows-1257': 'ąčęėįšųūžāēģīķļņõäöüŠŽČ',
};
interface Script {
  readonly letters: RegExp;
  readonly frequent: string;
  /**
   * Matches letter sequences that the script's languages do not have, but that result from decoding another encoding's
   * bytes.
   */
  readonly unusual: RegExp;
}

const CYRILLIC: Script = {
  letters: /\p{sc=Cyrillic}/u,
  frequent: 'оеаинтсрвл',
  unusual: /^[^аеиоуыэюяёіїє]{3,}$|[бвгджзклмнпрстфхцчшщ]{5}/iu,
};
/** The scripts of single-byte encodings. */
const SCRIPTS: Readonly<Record<string, Script>> = {
  'windows-1251': CYRILLIC,
  'koi8-r': CYRILLIC,
  ibm866: CYRILLIC,
  'windows-1253': { letters: /\p{sc=Greek}/u, frequent: 'αοιετσνηυρ', unusual: /^[^αεηιουωάέήίόύώϊϋΐΰ]{3,}$|ς\p{L}/iu },
  'windows-1255': { letters: /\p{sc=Hebrew}/u, frequent: 'יוהלאמרבשת', unusual: /[ךםןףץ]\p{L}/u },
  'windows-1256': { letters: /\p{sc=Arabic}/u, frequent: 'اليمونتربه', unusual: /[ةى]\p{L}/u },
  'windows-874': {
    letters: /\p{sc=Thai}/u,
    frequent: 'านรอกเงมยลวดท่้',
    unusual: /[เ-ไ][\u0e30-\u0e3a\u0e47-\u0e4e]|[\u0e30-\u0e3a][\u0e30-\u0e3a]|[\u0e47-\u0e4e]{2}/u,
  },
};

/**
 * Ranks the encodings in which bytes may be text, the most plausible first. Encodings with the same result are listed
 * once.
 * @param bytes Not valid UTF-8; may end within a character.
 * @param languages Languages of the browser.
 */
export function rankEncodings(bytes: Uint8Array<ArrayBuffer>, languages: readonly string[]): readonly RankedEncoding[] {
  const ranked: RankedEncoding[] = [];
  for (const [encoding, pattern] of Object.entries(LANGUAGES)) {
    const text = decode(bytes, encoding);
    if (text === null) continue;
    const isUsual = languages.some((language) => pattern.test(language));
    const prior = encoding === 'windows-1252' ? FREQUENT : isUsual ? USUAL : 0;
    const sample = decode(bytes.subarray(0, SAMPLE), encoding) ?? '';
    ranked.push({ encoding, text, score: prior + plausibility(sample, encoding) });
  }
  const sorted = ranked.toSorted((one, other) => other.score - one.score);
  return sorted.filter(({ text }, index) => sorted.findIndex((one) => one.text === text) === index);
}

function decode(bytes: Uint8Array<ArrayBuffer>, encoding: string): string | null {
  try {
    return decodeBytes(bytes, encoding, true);
  } catch {
    return null;
  }
}

/** Returns the score of a decoded text: the sum of the logarithms of how frequent each character is at its place. */
function plausibility(text: string, encoding: string): number {
  const eastern = FREQUENT_ROWS[encoding] !== undefined;
  let score = 0;
  for (const [word] of text.matchAll(/\p{L}[\p{L}\p{M}]*|[^]/gu)) {
    if (eastern) for (const character of word) score += easternWeight(character, encoding);
    else score += westernWeight(word, encoding);
  }
  // A symbol within a word indicates that the byte is a letter in another encoding.
  return (
    score -
    (eastern ? 0 : 4 * (text.match(/(?<=\p{L})(?![\0-\x7f\u2019\u00b7])[\p{S}\p{P}\p{N}](?=\p{L})/gu)?.length ?? 0))
  );
}

const ASCII = -4;

function easternWeight(character: string, encoding: string): number {
  if (character <= '\x7f') return ASCII;
  if (EASTERN_PUNCTUATION.test(character)) return -6;
  const isJapanese = JAPANESE.includes(encoding);
  if (/[\u3041-\u30fe]/.test(character)) return isJapanese ? -5.8 : -12;
  if ((MOST_FREQUENT[isJapanese ? 'shift_jis' : encoding] ?? '').includes(character)) return -5.6;
  if (frequentCharacters(encoding).has(character)) return -8.4;
  // In Shift-JIS many single bytes are half-width katakana, but hardly any real text has them.
  return /[\p{sc=Han}\p{sc=Hangul}]/u.test(character) ? -12 : -14;
}

const frequent = new Map<string, ReadonlySet<string>>();

/** Returns the characters in the rows of {@link FREQUENT_ROWS}. */
function frequentCharacters(encoding: string): ReadonlySet<string> {
  let found = frequent.get(encoding);
  if (found !== undefined) return found;
  const characters = (FREQUENT_ROWS[encoding] ?? []).flatMap(([code, from, to]) => {
    const bytes: number[] = [];
    for (let lead = from; lead <= to; lead += 1) {
      if (code === 'big5') for (let trail = 0x40; trail <= 0x7e; trail += 1) bytes.push(lead, trail);
      for (let trail = 0xa1; trail <= 0xfe; trail += 1) bytes.push(lead, trail);
    }
    return [...new TextDecoder(code).decode(Uint8Array.from(bytes))];
  });
  frequent.set(encoding, (found = new Set(characters)));
  return found;
}

/** Returns the weight of a word, or of one character that is not a letter, in a single-byte encoding. */
function westernWeight(word: string, encoding: string): number {
  const others = [...word].filter((character) => character > '\x7f');
  const ascii = ASCII * ([...word].length - others.length);
  if (others.length === 0) return ascii;
  if (!/\p{L}/u.test(word)) {
    if (
      /[\u2013\u2014\u2018-\u201e\u2020-\u2026\u20ac\u00a0\u00a7\u00ab\u00bb\u00b0-\u00b4\u00b5\u00b7\u2116]/.test(word)
    )
      return -5.5;
    return /\p{Cc}/u.test(word) ? -14 : -8;
  }
  // A Cyrillic or Greek word is in one case, or has one capital at its start. In a wrong encoding the cases are
  // swapped.
  const hasUsualCase = /^(?:\p{Lu}?[^\p{Lu}]*|[^\p{Ll}]+)$/u.test(word);
  const script = SCRIPTS[encoding];
  if (script !== undefined) {
    const isUsual = [...word].every((letter) => script.letters.test(letter)) && !script.unusual.test(word);
    if (!isUsual || !hasUsualCase) return ascii - 8 * others.length;
    return others.reduce((sum, letter) => sum + (script.frequent.includes(letter.toLowerCase()) ? -3 : -4.6), ascii);
  }
  const letters = USUAL_LETTERS[encoding] ?? '';
  // Western languages mix accented letters with plain ones. A word of accented letters only belongs to another script.
  const isMixed = others.length <= 2 * (word.length - others.length) || word.length === 1;
  const weight = (letter: string) => (!isMixed || !hasUsualCase ? -8 : letters.includes(letter) ? -4 : -6);
  return ascii + others.reduce((sum, letter) => sum + weight(letter), 0);
}
