import type { HeaderList } from '../browser/page-fetch.ts';

/** Headers that concern one connection (RFC 9110, section 7.6.1), in addition to those that `Connection` names. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Removes the headers that an intermediary must not forward. */
export function endToEndHeaders(headers: HeaderList): HeaderList {
  const removed = new Set(HOP_BY_HOP);
  for (const [name, value] of headers) {
    if (name.toLowerCase() !== 'connection') continue;
    for (const option of value.split(',')) removed.add(option.trim().toLowerCase());
  }
  return headers.filter(([name]) => !removed.has(name.toLowerCase()));
}
