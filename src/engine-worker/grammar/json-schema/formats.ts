const H16 = '[0-9a-fA-F]{1,4}';
const BYTE = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = `(?:${BYTE}\\.){3}${BYTE}`;

/** Eight groups of hexadecimal digits, or fewer with `::` in place of the missing ones. */
const IPV6 = [
  `(?:${H16}:){7}${H16}`,
  '::',
  ...Array.from({ length: 7 }, (_, before) => {
    const groups = before === 0 ? '' : `(?:${H16}:){${before - 1}}${H16}`;
    const most = 6 - before;
    return most === 0 ? `${groups}::` : `${groups}::(?:${H16}(?::${H16}){0,${most - 1}})${before === 0 ? '' : '?'}`;
  }),
].join('|');

const LEAP_YEAR = '(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)';
const DATE =
  '(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))' +
  `|${LEAP_YEAR}-02-29)`;
const TIME = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)';

const DAYS = '\\d{1,9}D';
const MONTHS = `\\d{1,9}M(?:${DAYS})?`;
const SECONDS = '\\d{1,9}S';
const MINUTES = `\\d{1,9}M(?:${SECONDS})?`;
const CLOCK = `T(?:\\d{1,9}H(?:${MINUTES})?|${MINUTES}|${SECONDS})`;
const DURATION = `P(?:(?:\\d{1,9}Y(?:${MONTHS})?|${MONTHS}|${DAYS})(?:${CLOCK})?|${CLOCK}|\\d{1,9}W)`;

const LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9\\-]{0,61}[a-zA-Z0-9])?';
const HOSTNAME = `${LABEL}(?:\\.${LABEL}){0,2}`;
const ATOM = "[a-zA-Z0-9!#$%&'*+/=?^_`{|}~\\-]+";
const EMAIL = `${ATOM}(?:\\.${ATOM})*@(?:[a-zA-Z0-9](?:[a-zA-Z0-9\\-]*[a-zA-Z0-9])?\\.)+[a-zA-Z]{2,}`;

const PATH_CHARACTER = "(?:[a-zA-Z0-9._~!$&'()*+,;=:@\\-]|%[0-9a-fA-F]{2})";
const PATH = `(?:/${PATH_CHARACTER}*)*`;
const SUFFIX = `(?:\\?(?:${PATH_CHARACTER}|[/?])*)?(?:#(?:${PATH_CHARACTER}|[/?])*)?`;
const HOST =
  '(?:[a-zA-Z0-9](?:[a-zA-Z0-9\\-]*[a-zA-Z0-9])?\\.)*[a-zA-Z0-9](?:[a-zA-Z0-9\\-]*[a-zA-Z0-9])?(?::\\d{1,5})?';
const URI = `[a-zA-Z][a-zA-Z0-9+.\\-]*:(?://${HOST}${PATH}|${PATH_CHARACTER}+${PATH})${SUFFIX}`;

/**
 * For each supported `format`, a pattern of the whole text. Every text that matches is valid, but some valid texts do
 * not match.
 */
export const FORMAT_PATTERNS: Readonly<Record<string, string>> = {
  date: DATE,
  time: TIME,
  'date-time': `${DATE}T${TIME}`,
  duration: DURATION,
  email: EMAIL,
  'idn-email': EMAIL,
  hostname: HOSTNAME,
  'idn-hostname': HOSTNAME,
  ipv4: IPV4,
  ipv6: IPV6,
  uuid: '[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}',
  uri: URI,
  iri: URI,
  'uri-reference': `(?:${URI}|/${PATH_CHARACTER}+${PATH}${SUFFIX})`,
  'iri-reference': `(?:${URI}|/${PATH_CHARACTER}+${PATH}${SUFFIX})`,
  'json-pointer': '(?:/(?:[^/~]|~[01])*)*',
  'relative-json-pointer': '(?:0|[1-9]\\d*)(?:#|(?:/(?:[^/~]|~[01])*)*)',
  byte: '(?:[a-zA-Z0-9+/]{4})*(?:[a-zA-Z0-9+/]{2}==|[a-zA-Z0-9+/]{3}=)?',
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
