/** Characters of symbol fonts that mean something without the picture, by their low byte. */
const SYMBOLS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  wingdings: {
    0x6f: '☐',
    0x71: '☐',
    0xa8: '☐',
    0xfb: '✗',
    0xfc: '✓',
    0xfd: '☒',
    0xfe: '☑',
    0xdf: '←',
    0xe0: '→',
    0xe1: '↑',
    0xe2: '↓',
    0xe8: '→',
    0xf0: '⇨',
    0x4a: '☺',
    0x4c: '☹',
  },
  'wingdings 2': { 0x4f: '✗', 0x50: '✓', 0x51: '☒', 0x52: '☑', 0x53: '☒', 0x54: '☒', 0xa3: '☐' },
  symbol: {
    0xa3: '≤',
    0xab: '↔',
    0xac: '←',
    0xad: '↑',
    0xae: '→',
    0xaf: '↓',
    0xb0: '°',
    0xb1: '±',
    0xb3: '≥',
    0xb4: '×',
    0xb7: '•',
    0xb9: '≠',
    0xbb: '≈',
    0xde: '⇒',
    ...Object.fromEntries([...'αβχδεφγηιϕκλμνοπθρστυϖωξψζ'].map((letter, index) => [0x61 + index, letter])),
  },
};

/** Returns the character for which one of a symbol font stands; undefined if it is a picture or not known. */
export function symbolOf(font: string, code: number): string | undefined {
  return SYMBOLS[font.toLowerCase()]?.[code & 0xff];
}
