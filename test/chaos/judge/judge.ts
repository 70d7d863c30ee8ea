import { NOT_RETRYABLE } from '../../../src/shared/http/retry-after.ts';
import type { PageReply } from '../in-page/ask.ts';
import type { Answer, Reading } from './apis/api.ts';
import { APIS, type ApiName } from './apis/apis.ts';
import { isExplainable, isExplained, statusOf, type Cause } from './explain-error.ts';
import { UPSTREAM_MODEL } from '../chaos-upstream.ts';
import type { Refusal } from './questions.ts';

/** A request and the expected answer. */
export type Expectation =
  | {
      readonly type: 'answer';
      readonly api: ApiName;
      readonly stream: boolean;
      readonly question: string;
      /** Whether it was sent by `tabserve.fetch`, which joins an answer again after its service worker has ended. */
      readonly resumes: boolean;
    }
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
  /** What explains an error of the endpoint. */
  readonly causes: ReadonlySet<Cause>;
  /** The site's server was unreachable, or the site's data were cleared after the page was loaded. */
  readonly endpoint: boolean;
}

export interface Verdict {
  /** A few words, equal for equal cases, because they are counted. */
  readonly outcome: string;
  readonly failed: boolean;
  readonly detail?: string;
  /** Id of the answer, if one has begun. */
  readonly id?: string;
  /** Seconds after which the response asks the client to try again. */
  readonly retryAfter?: number;
}

/**
 * Outcome of a request of a page that is controlled but whose requests go to the web server. This is a defect of
 * Chromium (`--empty-site` shows it on any site); the chat page then reloads itself.
 */
export const BYPASSED = 'past its worker';

/** Outcome of a request that waited for more than a minute since the site's data were cleared during it. */
export const LEFT_BY_CLEARING = 'left when the data were cleared';

/** Outcome of a request in a tab that shows no page of the site. */
export const PAGE_NOT_THERE = 'page not there';

/** Outcome of a right answer of the upstream, which says nothing about the engine of this device. */
export const RIGHT_ELSEWHERE = 'right, upstream';

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
  if (reply.stage === 'elsewhere') return good(PAGE_NOT_THERE);
  if (reply.failure?.startsWith('TimeoutError')) return judgeBeginning(expected, reply, right) ?? good('left');
  if (reply.stage === 'whole') {
    if (reply.status !== 200) return judgeError(expected, reply, harm);
    if (expected.type === 'answer') return judgeWhole(expected, reply, harm, right);
    const code = errorCode(reply.body);
    if (code !== 'no code') return judgeLateError(expected, code, reply.body, harm);
    return bad('not refused', `${expected.refusal.name}: ${reply.body.slice(0, 200)}`);
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
  { status, body, retryAfter, isFinal, controlled, bypassed }: PageReply,
  harm: Harm,
): Verdict {
  const named = errorCode(body);
  const code = isFinal && named === 'overloaded_error' ? 'model_load_failed' : named;
  if (status === 500) return bad('500', body);
  const mayBeFinal = isFinal && (NOT_RETRYABLE as readonly string[]).includes(code);
  if (LATER.includes(status ?? 0) && !mayBeFinal && retryAfter === null)
    return bad(`${status} without Retry-After`, body);
  if (isExplainable(code) || LATER.includes(status ?? 0)) return explain(`${status} ${code}`, code, body, harm);
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

/** An error of the endpoint is good only if a fault explains it. */
function explain(outcome: string, code: string, body: string, { causes }: Harm): Verdict {
  const detail = `${[...causes].join(', ') || 'no fault'}: ${body.slice(-300)}`;
  return isExplained(code, causes) ? { ...good(outcome), detail } : bad(`unexplained ${outcome}`, detail);
}

/** Judges an answer that failed after its status was sent, so that the body contains the error. */
function judgeLateError(expected: Expectation, code: string, body: string, harm: Harm): Verdict {
  const status = statusOf(code);
  if (status === 500) return bad('500 in a 200', body.slice(-300));
  if (expected.type === 'refusal' && expected.refusal.code === code) return good(`200 ${code}`);
  return isExplainable(code)
    ? explain(`200 ${code}`, code, body, harm)
    : bad(`wrongly refused: 200 ${code}`, body.slice(-300));
}

/** Judges a complete body with status 200. */
function judgeWhole(
  expected: Extract<Expectation, { type: 'answer' }>,
  reply: PageReply,
  harm: Harm,
  right: ReadonlyMap<string, Answer>,
): Verdict {
  const reading = read(expected, reply);
  if (!reading) return bad('broken JSON answer', reply.body.slice(0, 300));
  const { id, ended, error } = reading;
  if (ended && error === null) return { ...compare(expected.question, reading, right), id };
  const wrong = judgeBeginning(expected, reply, right);
  if (wrong) return wrong;
  if (error !== null) return { ...judgeLateError(expected, error, reply.body, harm), id };
  return isCutOff(expected, harm) ? good('cut off') : bad('stream without an end', reply.body.slice(-200));
}

/** Judges a connection that broke before the response headers or within the body. */
function judgeBroken(expected: Expectation, reply: PageReply, harm: Harm, right: ReadonlyMap<string, Answer>): Verdict {
  const wrong = judgeBeginning(expected, reply, right);
  if (wrong) return wrong;
  if (harm.tab || isCutOff(expected, harm)) return good('cut off');
  if (harm.frozen && reply.stage === 'broken body' && !isResumed(expected)) return good('cut off from a frozen tab');
  if (!reply.controlled && harm.endpoint) return good('endpoint away');
  if (reply.stage === 'no head' && reply.bypassed) return good(BYPASSED);
  const stream = expected.type === 'answer' && expected.stream;
  const context = `${reply.failure}; ${reply.stage}; ${reply.controlled ? '' : 'not '}controlled; ${[...harm.causes].join(', ')}`;
  return bad(stream ? 'broken stream' : 'broken JSON answer', context);
}

/** Whether a service worker that a fault ended explains that a body broke. A resumed body breaks only with its engine. */
function isCutOff(expected: Expectation, { serviceWorker, causes }: Harm): boolean {
  return serviceWorker && (!isResumed(expected) || causes.has('engine ended'));
}

function isResumed(expected: Expectation): boolean {
  return expected.type === 'answer' && expected.resumes;
}

/** The part of an interrupted stream must be the beginning of the right answer. */
function judgeBeginning(expected: Expectation, reply: PageReply, right: ReadonlyMap<string, Answer>): Verdict | null {
  if (expected.type !== 'answer' || !reply.contentType.startsWith('text/event-stream')) return null;
  const reading = read(expected, reply);
  if (!reading) return null;
  const wanted = right.get(expected.question)?.choices ?? [];
  const fits = reading.answer.choices.every(({ text }, index) => wanted[index]?.text.startsWith(text));
  if (!fits) return bad('wrong beginning', `${expected.question}: ${JSON.stringify(reading.answer.choices)}`);
  return reading.disorder === null ? null : bad('wrong order', reading.disorder);
}

/** Compares a complete answer, in all that its client can see, with the one recorded before the first fault. */
function compare(question: string, { answer, disorder }: Reading, right: ReadonlyMap<string, Answer>): Verdict {
  const wanted = right.get(question);
  if (wanted && same(wanted.choices, answer.choices)) {
    const difference = `${question}: ${JSON.stringify(answer)}, not ${JSON.stringify(wanted)}`;
    if (disorder !== null) return bad('wrong order', `${question}: ${disorder}`);
    if (answer.model !== wanted.model) return bad('wrong model', difference);
    // A stream without requested usage has none.
    if (answer.usage !== null && !same(wanted.usage, answer.usage)) return bad('wrong usage', difference);
    return good(wanted.model === UPSTREAM_MODEL ? RIGHT_ELSEWHERE : 'right');
  }
  const other = [...right].find(([, { choices }]) => same(choices, answer.choices))?.[0];
  if (other !== undefined) return bad('mixed-up answer', `${question} got the answer of ${other}`);
  return bad('wrong answer', `${question}: ${JSON.stringify(answer)}, not ${JSON.stringify(wanted)}`);
}

/** Reads a body by the rules of its API; null if a JSON document is incomplete. */
function read(
  { api, stream }: Extract<Expectation, { type: 'answer' }>,
  { body, contentType }: PageReply,
): Reading | null {
  const { readJson, readStream } = APIS[api];
  try {
    return stream && contentType.startsWith('text/event-stream') ? readStream(body) : readJson(body);
  } catch {
    return null;
  }
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Returns the code of an error, or its type in an API without codes. */
function errorCode(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: { code?: unknown; type?: unknown } };
    return String(error?.code ?? error?.type ?? 'no code');
  } catch {
    return 'no code';
  }
}
