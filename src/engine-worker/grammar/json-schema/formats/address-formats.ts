const H16 = '[0-9a-fA-F]{1,4}';
const BYTE = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';

export const IPV4 = `(?:${BYTE}\\.){3}${BYTE}`;

/** The last 32 bits of an IPv6 address. */
const LAST = `(?:${H16}:${H16}|${IPV4})`;

/** RFC 3986: eight groups of hexadecimal digits, or fewer with `::` in place of the missing ones. */
export const IPV6 = [
  `(?:${H16}:){6}${LAST}`,
  `::(?:${H16}:){5}${LAST}`,
  ...Array.from({ length: 5 }, (_, before) => `(?:(?:${H16}:){0,${before}}${H16})?::(?:${H16}:){${4 - before}}${LAST}`),
  `(?:(?:${H16}:){0,5}${H16})?::${H16}`,
  `(?:(?:${H16}:){0,6}${H16})?::`,
].join('|');

const SCHEME = '[a-zA-Z][a-zA-Z0-9+.\\-]*';
const ESCAPE = '%[0-9a-fA-F]{2}';

/** The characters beyond ASCII of RFC 3987, without spaces and invisible characters. */
export const BEYOND_ASCII =
  '\\u{a1}-\\u{ac}\\u{ae}-\\u{167f}\\u{1681}-\\u{180d}\\u{180f}-\\u{1fff}\\u{2010}-\\u{2027}\\u{2030}-\\u{205e}\\u{2070}-\\u{2fff}' +
  '\\u{3001}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{fefe}\\u{ff00}-\\u{ffef}' +
  '\\u{10000}-\\u{1fffd}\\u{20000}-\\u{2fffd}\\u{30000}-\\u{3fffd}';

interface Syntax {
  /** Characters that may stand unescaped, as a part of a class. */
  readonly letters: string;
  /** What may stand in place of a name: addresses in brackets. */
  readonly literal: string;
}

const ADDRESS: Syntax = {
  letters: 'a-zA-Z0-9',
  literal: `\\[(?:${IPV6}|v[0-9a-fA-F]+\\.[a-zA-Z0-9._~!$&'()*+,;=:\\-]+)\\]|`,
};

function syntax({ letters, literal }: Syntax) {
  const characters = (further: string) => `(?:[${letters}._~!$&'()*+,;=${further}\\-]|${ESCAPE})`;
  const segment = characters(':@');
  const authority = `(?:${characters(':')}*@)?(?:${literal}${characters('')}*)(?::\\d{1,5})?`;
  const path = `(?:/${segment}*)*`;
  const rooted = `//${authority}${path}|/(?:${segment}+${path})?`;
  const query = `\\?${characters(':@/?')}*`;
  const fragment = `(?:#${characters(':@/?')}*)?`;
  return {
    absolute: `${SCHEME}:(?:(?:${rooted}|${segment}+${path})(?:${query})?|${query})${fragment}`,
    relative: `(?:${rooted}|${characters('@')}+${path}|)(?:${query})?${fragment}`,
  };
}

const { absolute, relative } = syntax(ADDRESS);
const beyond = syntax({ ...ADDRESS, letters: ADDRESS.letters + BEYOND_ASCII });

/** RFC 3986 with something after the scheme. */
export const URI = absolute;
export const URI_REFERENCE = `(?:${absolute}|${relative})`;
/** RFC 3987, without spaces and invisible characters beyond ASCII. */
export const IRI = beyond.absolute;
export const IRI_REFERENCE = `(?:${beyond.absolute}|${beyond.relative})`;

const withoutLiteral = {
  uri: syntax({ ...ADDRESS, literal: '' }),
  iri: syntax({ letters: ADDRESS.letters + BEYOND_ASCII, literal: '' }),
};

/** The formats without addresses in brackets, whose many states would have to be counted beside a length. */
export const COUNTED_ADDRESSES: Readonly<Record<string, string>> = {
  uri: withoutLiteral.uri.absolute,
  iri: withoutLiteral.iri.absolute,
  'uri-reference': `(?:${withoutLiteral.uri.absolute}|${withoutLiteral.uri.relative})`,
  'iri-reference': `(?:${withoutLiteral.iri.absolute}|${withoutLiteral.iri.relative})`,
};

const VARIABLE_CHARACTER = `(?:[a-zA-Z0-9_]|${ESCAPE})`;
const VARIABLE = `${VARIABLE_CHARACTER}+(?::[1-9]\\d{0,3}|\\*)?`;

/** RFC 6570 without dots in the names of variables. */
export const URI_TEMPLATE = `(?:[a-zA-Z0-9._~:/?#@!$&()*+,;=\\[\\]\\-]|${ESCAPE}|\\{[+#./;?&]?${VARIABLE}(?:,${VARIABLE})*\\})*`;
