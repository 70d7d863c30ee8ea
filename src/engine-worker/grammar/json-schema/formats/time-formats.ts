const LEAP_YEAR = '(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)';

export const DATE =
  '(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))' +
  `|${LEAP_YEAR}-02-29)`;

const FRACTION = '(?:\\.\\d{1,9})?';

/** A leap second is 23:59:60 in UTC. Of the other offsets, only those of whole and half hours have it. */
const LEAP_SECOND = [
  `23:59:60${FRACTION}[Zz]`,
  ...Array.from({ length: 48 }, (_, half) => {
    const later = `${digits(Math.floor(half / 2))}:${half % 2 === 0 ? '00' : '30'}`;
    const clock = (halves: number) =>
      `${digits(Math.floor(((halves + 48) % 48) / 2))}:${halves % 2 === 0 ? '29' : '59'}`;
    return `${clock(half - 1)}:60(?:\\.\\d{1,3})?\\+${later}|${clock(47 - half)}:60(?:\\.\\d{1,3})?-${later}`;
  }),
].join('|');

function digits(hour: number): string {
  return String(hour).padStart(2, '0');
}

/** RFC 3339, with at most nine digits of a second's fraction. */
export const TIME = `(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d${FRACTION}(?:[Zz]|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)|${LEAP_SECOND})`;

export const DATE_TIME = `${DATE}[Tt]${TIME}`;

const DAYS = '\\d{1,9}D';
const MONTHS = `\\d{1,9}M(?:${DAYS})?`;
const SECONDS = '\\d{1,9}(?:\\.\\d{1,9})?S';
const MINUTES = `\\d{1,9}M(?:${SECONDS})?`;
const CLOCK = `T(?:\\d{1,9}H(?:${MINUTES})?|${MINUTES}|${SECONDS})`;

/** RFC 3339, appendix A, with numbers of at most nine digits. Seconds may have a fraction, as in ISO 8601. */
export const DURATION = `P(?:(?:\\d{1,9}Y(?:${MONTHS})?|${MONTHS}|${DAYS})(?:${CLOCK})?|${CLOCK}|\\d{1,9}W)`;
