const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];

const AIUEO = 'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン';
const IROHA = 'イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン';

/** Signs that count items, by the name of their format in DOCX. After the last one come digits. */
const SIGNS: Readonly<Record<string, string>> = {
  decimalEnclosedCircle: '①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳',
  decimalEnclosedCircleChinese: '①②③④⑤⑥⑦⑧⑨⑩',
  ideographTraditional: '甲乙丙丁戊己庚辛壬癸',
  ideographZodiac: '子丑寅卯辰巳午未申酉戌亥',
  aiueo: AIUEO,
  aiueoFullWidth: AIUEO,
  iroha: IROHA,
  irohaFullWidth: IROHA,
  ganada: '가나다라마바사아자차카타파하',
  chosung: 'ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ',
  russianLower: 'абвгдежзиклмнопрстуфхцчшщыэюя',
  russianUpper: 'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ',
};

const DIGITS = '〇一二三四五六七八九';
const TENS = ['', '十', '百', '千'];

/** Writes a number in a format of `ListLevel`. */
export function numeral(count: number, format: string): string {
  if (/roman/i.test(format)) {
    let rest = Math.min(Math.max(count, 0), 5000);
    let text = '';
    for (const [value, digits] of ROMAN) for (; rest >= value; rest -= value) text += digits;
    return format.startsWith('upper') ? text.toUpperCase() : text;
  }
  if (/letter/i.test(format)) {
    // After z comes aa, then bb.
    const letter = String.fromCharCode(97 + ((Math.max(count, 1) - 1) % 26));
    const text = letter.repeat(Math.min(1 + Math.floor((Math.max(count, 1) - 1) / 26), 10));
    return format.startsWith('upper') ? text.toUpperCase() : text;
  }
  const sign = Object.hasOwn(SIGNS, format) ? SIGNS[format]![count - 1] : undefined;
  if (sign !== undefined) return sign;
  if (count > 0 && count < 10_000) {
    if (/^(?:chinese|taiwanese)Counting(?:Thousand)?$/.test(format))
      return count < 100 || format.endsWith('Thousand') ? inChinese(count) : inDigits(count);
    if (format === 'japaneseCounting') return inJapanese(count);
    if (/^(?:ideograph|taiwanese|japanese)Digital/.test(format)) return inDigits(count);
  }
  return format === 'decimalZero' && count < 10 ? `0${count}` : String(count);
}

function inDigits(count: number): string {
  return String(count).replace(/\d/g, (digit) => DIGITS[Number(digit)]!);
}

/** As 一百零一 for 101, and 十一 for 11. */
function inChinese(count: number): string {
  const digits = [...String(count)].map((digit, index, { length }) =>
    digit === '0' ? '零' : DIGITS[Number(digit)]! + TENS[length - 1 - index]!,
  );
  return digits.join('').replace(/零+/g, '零').replace(/零$/, '').replace(/^一十/, '十');
}

/** As 百一 for 101, and 十一 for 11. */
function inJapanese(count: number): string {
  const digits = [...String(count)].map((digit, index, { length }) => {
    const ten = TENS[length - 1 - index]!;
    return digit === '0' ? '' : (digit === '1' && ten !== '' ? '' : DIGITS[Number(digit)]!) + ten;
  });
  return digits.join('');
}
