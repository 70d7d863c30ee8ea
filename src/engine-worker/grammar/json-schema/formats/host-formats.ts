import { BEYOND_ASCII } from './address-formats.ts';

const END = '[a-zA-Z0-9]';
const INNER = '[a-zA-Z0-9\\-]';

/**
 * A label of at most `most` characters (RFC 1123), 5 or more. Two hyphens at the third and fourth place are reserved: after
 * `xn` they begin the code of a label in other letters (RFC 5890), which is not decoded here.
 */
function label(most: number): string {
  const third = `${END}${INNER}{0,${most - 4}}${END}`;
  const hyphen = `-${END}(?:${INNER}{0,${most - 5}}${END})?`;
  const encoded = most < 20 ? '' : `|xn--[a-z0-9]{4,${most - 4}}`;
  return `(?:${END}(?:${INNER}?${END})?|${END}${INNER}(?:${third}|${hyphen})${encoded})`;
}

/** At most 253 characters: three labels of any length, or up to 25 of which most are shorter. */
export const HOSTNAME = `(?:${label(63)}(?:\\.${label(63)}){0,2}|${label(63)}(?:\\.${label(20)}){3,9}|${label(20)}(?:\\.${label(8)}){10,24})`;

const SHORT_LABEL = `(?:${END}(?:${INNER}?${END})?|${END}${INNER}(?:${END}${INNER}*${END}|-${END}(?:${INNER}*${END})?)|xn--[a-z0-9]{4,})`;
const SHORT_HOSTNAME = `(?=.{0,63}$)${SHORT_LABEL}(?:\\.${SHORT_LABEL})*`;

const ATOM_CHARACTERS = "a-zA-Z0-9!#$%&'*+/=?^_`{|}~\\-";
const ATOM = `[${ATOM_CHARACTERS}]+`;

/** RFC 5321 without quoted names and without addresses in brackets, which many validators refuse. */
export const EMAIL = `${ATOM}(?:\\.${ATOM})*@(?:[a-zA-Z0-9](?:[a-zA-Z0-9\\-]*[a-zA-Z0-9])?\\.)+[a-zA-Z]{2,}`;

const GREEK = 'ά-ώ';
const EAST_ASIAN = 'ぁ-ゖァ-ヺー一-鿿々';
const LETTERS =
  'a-zß-öø-ÿāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįıĵķĺļľłńņňŋōŏőœŕŗřśŝşšţťŧũūŭůűųŵŷźżž' +
  `${GREEK}${EAST_ASIAN}а-џա-ֆა-ჰअ-हก-ะาเ-ไ가-힣་〇`;
const MARKS = 'ऀ-ःा-ौัิ-ื็์ํ';
const JOINED_ARABIC = 'بتثجحخسشصضطظعغفقكلمنهي';
const ARABIC = 'ء-غف-ي۽۾';

/** Labels in letters that are written from left to right, short enough for the limit of their encoded form. */
const LEFT_TO_RIGHT = [
  `[${LETTERS}0-9](?:-?[${LETTERS}0-9]|[${MARKS}]|्[\\u200c\\u200d][अ-ह]){0,9}`,
  `・{0,2}[${EAST_ASIAN}][${EAST_ASIAN}・]{0,9}`,
  'l·l',
  `[${GREEK}]{0,4}͵[${GREEK}]{1,4}`,
  `क्[\\u200c\\u200d][अ-ह]`,
].join('|');

const RIGHT_TO_LEFT = [
  '(?:[א-ת][׳״]?){1,6}',
  `[${ARABIC}](?:[${ARABIC}]{0,10}|[${ARABIC}٠-٩]{0,10}|[${ARABIC}۰-۹]{0,10})`,
  `[${ARABIC}]{0,4}[${JOINED_ARABIC}]\\u200c[${JOINED_ARABIC}][${ARABIC}]{0,4}`,
].join('|');

/**
 * RFC 5890 for the letters of common scripts. Labels of one direction stand together, because numbers may not stand beside
 * labels from right to left.
 */
const IDN = (least: number, dot: string) =>
  `(?:(?:${LEFT_TO_RIGHT})(?:${dot}(?:${LEFT_TO_RIGHT})){${least},2}|(?:${RIGHT_TO_LEFT})(?:${dot}(?:${RIGHT_TO_LEFT}|[a-z]{2,10})){${least},2})`;

export const IDN_HOSTNAME = `(?:${label(63)}|${IDN(0, '[.。．｡]')}|[۰-۹]{1,6}[0-9]{0,4})`;

const WIDE_ATOM = `[${ATOM_CHARACTERS}${BEYOND_ASCII}]+`;

/** RFC 6531, with the restrictions of the other formats of this file. */
export const IDN_EMAIL = `(?:${EMAIL}|${WIDE_ATOM}(?:\\.${WIDE_ATOM})*@${IDN(1, '\\.')})`;

/** With a short domain, whose states need not be counted beside a length. */
export const COUNTED_IDN_EMAIL = `(?:${EMAIL}|${WIDE_ATOM}(?:\\.${WIDE_ATOM})*@[${LETTERS}]{1,10}\\.[${LETTERS}]{2,6})`;

/** The formats beside a limit of less than 253 characters: names of at most 63 characters, or short ones in other letters. */
export const COUNTED_HOSTNAMES: Readonly<Record<string, string>> = {
  hostname: SHORT_HOSTNAME,
  'idn-hostname': `(?:${SHORT_HOSTNAME}|[${LETTERS}]{1,10}(?:[.。．｡][${LETTERS}]{2,6})?)`,
};
