import { API_ERROR_CODES } from '../../../src/shared/api-error.ts';
import type { PageReply } from '../in-page/ask.ts';
import { readJsonAnswer, readStreamAnswer, type Answer } from './answer.ts';
import type { Refusal } from './questions.ts';

/** A request and the expected answer. */
export type Expectation =
  | { readonly type: 'answer'; readonly stream: boolean; readonly question: string }
  | { readonly type: 'refusal'; readonly refusal: Refusal };

/** The faults during a request that explain a failure of it. */
export interface Harm {
  /** The request's tab was closed, reloaded, or crashed. */
  readonly tab: boolean;
  /** The page reloaded itself because its requests bypassed the service worker. */
  readonly reload: boolean;
  /** The request's tab was frozen, so the service worker ended its response bodies with an error. */
  readonly frozen: boolean;
  /** A fault ended a service worker. */
  readonly serviceWorker: boolean;
  /** An engine worker ended. */
  readonly engine: boolean;
  /** The site's server was unreachable, or the site's data were cleared after the page was loaded. */
  readonly endpoint: boolean;
}

export interface Verdict {
  /** A few words, equal for equal cases, because they are counted. */
  readonly outcome: string;
  readonly failed: boolean;
  readonly detail?: string;
}

/**
 * Outcome of a request of a page that is controlled but whose requests go to the web server. This is a defect of
 * Chromium (`--empty-site` shows it on any site); the chat page then reloads itself.
 */
export const BYPASSED = 'past its worker';

/** Statuses that tell a client when to retry. */
const LATER = [429, 503, 504];

const good = (outcome: string): Verdict => ({ outcome, failed: false });
const bad = (outcome: string, detail: string): Verdict => ({ outcome, failed: true, detail });

/**
 * Judges whether a response is correct, given the faults during the request.
 * @param reply Null if the page ended before the request.
 * @param right The answers that were recorded before the first fault, by the name of their question.
 */
export function judge(
  expected: Expectation,
  reply: PageReply | null,
  harm: Harm,
  right: ReadonlyMap<string, Answer>,
): Verdict {
  if (reply === null) return judgeLost(harm);
  if (reply.stage === 'elsewhere') return good('page not there');
  if (reply.failure?.startsWith('TimeoutError')) return judgeBeginning(expected, reply, right) ?? good('left');
  if (reply.stage === 'whole') {
    if (reply.status !== 200) return judgeError(expected, reply, harm);
    const lateCode = lateErrorCode(reply);
    if (lateCode !== null) return judgeLateError(expected, lateCode, reply.body);
    if (expected.type === 'refusal') return bad('not refused', `${expected.refusal.name}: ${reply.body.slice(0, 200)}`);
    return judgeWhole(expected, reply, harm, right);
  }
  return judgeBroken(expected, reply, harm, right);
}

/** Judges a request whose page ended. */
function judgeLost({ tab, reload }: Harm): Verdict {
  if (tab) return good('lost with its tab');
  return reload ? good('its page loaded itself anew') : bad('tab lost by itself', '');
}

/** Judges a complete error response. */
function judgeError(
  expected: Expectation,
  { status, body, retryAfter, controlled, bypassed }: PageReply,
  harm: Harm,
): Verdict {
  const code = errorCode(body);
  if (status === 500) return bad('500', body);
  if (LATER.includes(status ?? 0)) {
    return retryAfter === null ? bad(`${status} without Retry-After`, body) : good(`${status} ${code}`);
  }
  if (expected.type === 'refusal') {
    const { refusal } = expected;
    if (status === refusal.status && code === refusal.code) return good('refused');
  }
  // The web server's response to the endpoint's addresses.
  if (status === 404 && code === 'unknown_url') {
    if (harm.endpoint) return good('endpoint away');
    if (bypassed) return good(BYPASSED);
    return bad('endpoint lost', controlled ? 'controlled' : 'not controlled');
  }
  if (expected.type === 'refusal')
    return bad('refused otherwise', `${expected.refusal.name}: ${status} ${body.slice(0, 300)}`);
  return bad(`wrongly refused: ${status} ${code}`, body.slice(0, 300));
}

/** Judges a JSON answer that failed after its status was sent, so that the body contains the error. */
function judgeLateError(expected: Expectation, code: string, body: string): Verdict {
  const status = Object.entries(API_ERROR_CODES).find(([known]) => known === code)?.[1][0] ?? 500;
  if (status === 500) return bad('500 in a 200', body);
  const due = expected.type === 'refusal' && expected.refusal.code === code;
  return due || LATER.includes(status) ? good(`200 ${code}`) : bad(`wrongly refused: 200 ${code}`, body.slice(0, 300));
}

/** Judges a complete body with status 200. */
function judgeWhole(
  expected: Extract<Expectation, { type: 'answer' }>,
  reply: PageReply,
  harm: Harm,
  right: ReadonlyMap<string, Answer>,
): Verdict {
  if (!expected.stream) {
    const answer = readJsonAnswer(reply.body);
    return answer ? compare(expected.question, answer, right) : bad('broken JSON answer', reply.body.slice(0, 300));
  }
  const { answer, ended, error } = readStreamAnswer(reply.body);
  if (ended) return compare(expected.question, answer, right);
  const wrong = judgeBeginning(expected, reply, right);
  if (wrong) return wrong;
  if (error === 'internal_error') return bad('500 as an event', reply.body.slice(-300));
  if (error !== null) return good(`event ${error}`);
  return harm.serviceWorker ? good('cut off') : bad('stream without an end', reply.body.slice(-200));
}

/** Judges a connection that broke before the response headers or within the body. */
function judgeBroken(expected: Expectation, reply: PageReply, harm: Harm, right: ReadonlyMap<string, Answer>): Verdict {
  const wrong = judgeBeginning(expected, reply, right);
  if (wrong) return wrong;
  if (harm.serviceWorker || harm.tab) return good('cut off');
  if (harm.frozen && reply.stage === 'broken body') return good('cut off from a frozen tab');
  if (!reply.controlled && harm.endpoint) return good('endpoint away');
  if (reply.stage === 'no head' && reply.bypassed) return good(BYPASSED);
  const stream = expected.type === 'answer' && expected.stream;
  const context = `${reply.failure}; ${reply.stage}; ${reply.controlled ? '' : 'not '}controlled${harm.engine ? '; the engine died' : ''}`;
  return bad(stream ? 'broken stream' : 'broken JSON answer', context);
}

/** The part of an interrupted stream must be the beginning of the right answer. */
function judgeBeginning(
  expected: Expectation,
  { body, contentType }: PageReply,
  right: ReadonlyMap<string, Answer>,
): Verdict | null {
  if (expected.type !== 'answer' || !expected.stream || !contentType.startsWith('text/event-stream')) return null;
  const { choices } = readStreamAnswer(body).answer;
  const wanted = right.get(expected.question)?.choices ?? [];
  const fits = choices.every(({ text }, index) => wanted[index]?.text.startsWith(text));
  return fits ? null : bad('wrong beginning', `${expected.question}: ${JSON.stringify(choices)}`);
}

function compare(question: string, answer: Answer, right: ReadonlyMap<string, Answer>): Verdict {
  const wanted = right.get(question);
  if (wanted && same(wanted.choices, answer.choices)) {
    // A stream without requested usage has none.
    if (answer.usage === null || same(wanted.usage, answer.usage)) return good('right');
    return bad('wrong usage', `${question}: ${JSON.stringify(answer.usage)}, not ${JSON.stringify(wanted.usage)}`);
  }
  const other = [...right].find(([, { choices }]) => same(choices, answer.choices))?.[0];
  if (other !== undefined) return bad('mixed-up answer', `${question} got the answer of ${other}`);
  return bad('wrong answer', `${question}: ${JSON.stringify(answer)}, not ${JSON.stringify(wanted)}`);
}

/** Returns the code of an error in the body of a response with status 200; null without one. */
function lateErrorCode({ contentType, body }: PageReply): string | null {
  return contentType.startsWith('application/json') && /^\s*\{"error":/.test(body) ? errorCode(body) : null;
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function errorCode(body: string): string {
  try {
    return String((JSON.parse(body) as { error?: { code?: unknown } }).error?.code);
  } catch {
    return 'no code';
  }
}
