import { ApiError } from '../../shared/api-error.ts';
import { array, described, isAbsent, text, type Check, type JsonObject } from './checks.ts';

/** The order of llama-server, which clients send although they mean no other: as names, and as letters. */
const DEFAULTS = ['penalties,dry,top_n_sigma,top_k,typ_p,top_p,min_p,xtc,temperature', 'e,d,s,k,y,p,m,x,t'];

const isSet = (value: unknown, ...neutral: readonly unknown[]) => !isAbsent(value) && !neutral.includes(value);

/**
 * The samplers that run here, in their order: llama-server's letter and name, and whether a request uses it. Without a value in
 * the request, a model's own defaults set temperature and `top_p`.
 */
const OWN: readonly (readonly [letter: string, name: string, isUsed: (body: JsonObject) => boolean])[] = [
  [
    'e',
    'penalties',
    (body) =>
      isSet(body.presence_penalty, 0) ||
      isSet(body.frequency_penalty, 0) ||
      isSet(body.repetition_penalty ?? body.repeat_penalty, 1),
  ],
  ['t', 'temperature', ({ temperature }) => temperature !== 1],
  ['m', 'min_p', (body) => isSet(body.min_p, 0)],
  ['k', 'top_k', (body) => isSet(body.top_k, 0, -1)],
  ['p', 'top_p', (body) => body.top_p !== 1],
];

/**
 * Reads `samplers` of llama-server: names, or a text of letters; like there, unknown ones are ignored. The samplers here
 * have one order, so a list is accepted if it is llama-server's default, or if its samplers that the request uses are all
 * of these, in this order.
 */
export const samplers: Check<null> = described({ type: ['array', 'string'] }, (value, param, body) => {
  const given = typeof value === 'string' ? [...value] : array(value, param, body);
  const list = given.map((name) => text(name, param, body));
  if (DEFAULTS.includes(list.join())) return null;
  const used = OWN.filter(([, , isUsed]) => isUsed(body));
  const listed = new Set(list.flatMap((given) => used.filter(([letter, name]) => letter === given || name === given)));
  if (canonical([...listed], body) === canonical(used, body)) return null;
  const order = used.map(([, name]) => name).join(', ');
  const sentence = `\`${param}\` must have those that this request uses in the order ${order}. Leave it out.`;
  throw new ApiError('unsupported_parameter', sentence, { param });
});

/**
 * Writes an order so that two of the same effect are equal: a temperature of 0 leaves the likeliest token in any order of
 * the samplers after the penalties, and `top_k` and `min_p` both keep the likeliest tokens.
 */
function canonical(order: typeof OWN, { temperature }: JsonObject): string {
  const letters = order.map(([letter]) => letter).join('');
  return temperature === 0 ? `${letters[0] === 'e'}${[...letters].toSorted().join('')}` : letters.replace('km', 'mk');
}
