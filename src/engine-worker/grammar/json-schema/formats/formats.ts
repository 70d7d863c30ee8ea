import {
  COUNTED_ADDRESSES,
  IPV4,
  IPV6,
  IRI,
  IRI_REFERENCE,
  URI,
  URI_REFERENCE,
  URI_TEMPLATE,
} from './address-formats.ts';
import { COUNTED_HOSTNAMES, COUNTED_IDN_EMAIL, EMAIL, HOSTNAME, IDN_EMAIL, IDN_HOSTNAME } from './host-formats.ts';
import { REGEX } from './regex-format.ts';
import { DATE, DATE_TIME, DURATION, TIME } from './time-formats.ts';

/**
 * For each supported `format`, a pattern of the whole text. Every text that matches is valid, but some valid texts do
 * not match.
 */
export const FORMAT_PATTERNS: Readonly<Record<string, string>> = {
  date: DATE,
  time: TIME,
  'date-time': DATE_TIME,
  duration: DURATION,
  email: EMAIL,
  'idn-email': IDN_EMAIL,
  hostname: HOSTNAME,
  'idn-hostname': IDN_HOSTNAME,
  ipv4: IPV4,
  ipv6: IPV6,
  uuid: '[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}',
  uri: URI,
  iri: IRI,
  'uri-reference': URI_REFERENCE,
  'iri-reference': IRI_REFERENCE,
  'uri-template': URI_TEMPLATE,
  'json-pointer': '(?:/(?:[^/~]|~[01])*)*',
  'relative-json-pointer': '(?:0|[1-9]\\d*)(?:#|(?:/(?:[^/~]|~[01])*)*)',
  regex: REGEX,
  byte: '(?:[a-zA-Z0-9+/]{4})*(?:[a-zA-Z0-9+/]{2}==|[a-zA-Z0-9+/]{3}=)?',
};

/** The most characters of the formats that have a limit of their own. */
const LONGEST: Readonly<Record<string, number>> = { hostname: 253, 'idn-hostname': 253 };

/**
 * Returns the pattern of a format beside limits of the length; undefined for another format.
 * @param hasPattern Whether the text must match a pattern of the schema, too. Together with the many states of long host
 * names it would be too complex.
 */
export function formatPattern(format: string, min: number, max: number, hasPattern: boolean): string | undefined {
  const isHost = Object.hasOwn(COUNTED_HOSTNAMES, format);
  const isCounted = min > 1 || max < (LONGEST[format] ?? Infinity) || (isHost && hasPattern);
  const patterns = isCounted ? COUNTED_FORMAT_PATTERNS : FORMAT_PATTERNS;
  return Object.hasOwn(patterns, format) ? patterns[format] : undefined;
}

/** The patterns that take the place of {@link FORMAT_PATTERNS} beside a limit of the length, with fewer states to count. */
const COUNTED_FORMAT_PATTERNS: Readonly<Record<string, string>> = {
  ...FORMAT_PATTERNS,
  ...COUNTED_ADDRESSES,
  ...COUNTED_HOSTNAMES,
  'idn-email': COUNTED_IDN_EMAIL,
};

/** Formats that do not restrict the text. */
export const FORMATS_OF_ANY_TEXT: readonly string[] = ['binary', 'password', 'path', 'file-path', 'directory-path'];

/** Minimum and maximum of the formats of numbers. */
export const NUMBER_FORMATS: Readonly<Record<string, readonly [min: number, max: number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-Infinity, Infinity],
  float: [-Infinity, Infinity],
  double: [-Infinity, Infinity],
};

/** Whether a text has a format. Each text has an unknown one. */
export function matchesFormat(format: string, text: string): boolean {
  const patterns = [FORMAT_PATTERNS, COUNTED_FORMAT_PATTERNS].flatMap((known) =>
    Object.hasOwn(known, format) ? [known[format]!] : [],
  );
  return patterns.length === 0 || patterns.some((pattern) => new RegExp(`^(?:${pattern})$`, 'u').test(text));
}
