import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import { isFreeText } from './answer-kind.ts';

/** Words and signs that may surround a sum. */
const AROUND = /\b(what(?:'s| is)|how much is|calculate|compute|solve|please)\b|[?=.!\s]+$/gi;

/** Matches a text that consists only of numbers, operators and words of arithmetic. */
const ARITHMETIC =
  /^(?=.*\d)(?:[\d\s.,()+*/%^×÷·−-]|\b(?:plus|minus|times|divided|multiplied|by|x|percent|of|square|cube|root|sqrt)\b)+$/i;

/** Matches one operation on two numbers. */
const SUM = /^\s*(\d+)\s*(plus|minus|times|divided by|multiplied by|[-+*x×/÷−])\s*(\d+)\s*$/i;

/**
 * Largest numbers in the additions and multiplications that the built-in model was trained on. See
 * `training/corpus/numbers.py`.
 */
const MOST = { sum: 99, factor: 12 } as const;

/**
 * Whether the built-in model certainly cannot answer: it knows only the Latin letters of European languages, and
 * only small sums. It would write nonsense until its context window is full, or a wrong number.
 */
export function isBeyondBuiltInModel(request: CompletionRequest): boolean {
  const last = request.messages.at(-1);
  if (!isFreeText(request) || last?.role !== 'user') return false;
  const text = typeof last.content === 'string' ? last.content : '';
  return isUnreadable(text) || isUntrainedSum(text);
}

/** Whether most letters are not Latin, or a letter occurs only in Vietnamese. */
function isUnreadable(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? [];
  const latin = text.match(/\p{Script=Latin}/gu) ?? [];
  return latin.length < letters.length / 2 || /[\u{1EA0}-\u{1EF9}]/u.test(text);
}

function isUntrainedSum(text: string): boolean {
  const sum = text.replace(AROUND, '').trim();
  if (!/\D/.test(sum) || !ARITHMETIC.test(sum)) return false;
  const [, a, operator, b] = SUM.exec(sum) ?? [];
  if (operator === undefined) return true;
  const [one, other] = [Number(a), Number(b)];
  if (/^(plus|minus|[-+−])$/i.test(operator)) return Math.max(one, other) > MOST.sum;
  if (/^(divided by|[/÷])$/i.test(operator)) {
    return other === 0 || other > MOST.factor || one % other !== 0 || one / other > MOST.factor;
  }
  return Math.max(one, other) > MOST.factor;
}
