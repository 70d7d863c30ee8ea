import { ApiError } from '../../../../src/shared/api-error.ts';
import { eventData, Order, type Answer, type Api, type Reading } from './api.ts';

interface WireItem {
  readonly type: string;
  readonly role?: string;
  readonly status: string;
  readonly content?: readonly { readonly text: string }[];
}

interface WireResponse {
  readonly id: string;
  readonly object: string;
  readonly status: string;
  readonly model: string;
  readonly output: readonly WireItem[];
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number } | null;
  readonly error: { readonly code: string; readonly message?: string } | null;
}

interface WireEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly response?: WireResponse;
  readonly delta?: string;
  readonly text?: string;
  readonly code?: string;
}

/** The types of the events of an answer of one text, in their order. `response.output_text.delta` may be repeated. */
const EVENT_TYPES = [
  'response.created',
  'response.in_progress',
  'response.output_item.added',
  'response.content_part.added',
  'response.output_text.delta',
  'response.output_text.done',
  'response.content_part.done',
  'response.output_item.done',
  'response.completed',
];
const LAST_TYPES = ['response.completed', 'response.incomplete', 'response.failed'];

export const RESPONSES: Api = {
  path: '/v1/responses',
  streaming: { stream: true },
  readJson(body) {
    const document = JSON.parse(body) as WireResponse;
    const order = new Order();
    const answer = document.error && !document.output ? NOTHING : answerOf(document, order);
    return {
      answer,
      id: document.id ?? '',
      ended: true,
      error: document.error && codeOf(document.error),
      disorder: document.error ? null : order.disorder,
    };
  },
  readStream: (body) => readEvents(eventData(body).map((data) => JSON.parse(data) as WireEvent)),
};

/** Responses that go on without their client, which asks for them by their id. */
export const BACKGROUND_RESPONSES: Api = { ...RESPONSES, streaming: null, manner: 'polling' };

/** What a defect of the endpoint is told as. A response object has the code `server_error` for every error of the engine. */
const { code: DEFECT, message: OF_DEFECT } = ApiError.from(new Error());

function codeOf({ code, message }: NonNullable<WireResponse['error']>): string {
  return message === OF_DEFECT ? DEFECT : code;
}

const NOTHING: Answer = { model: '', choices: [], usage: null };

function readEvents(events: readonly WireEvent[]): Reading {
  const order = new Order();
  const last = events.at(-1);
  const error = events.find(({ type }) => type === 'error');
  const first = events[0]?.response;
  let text = '';
  let step = -1;
  for (const [number, event] of events.entries()) {
    const { type, sequence_number, response, delta } = event;
    order.expect(sequence_number === number, `event ${number} has the number ${sequence_number}`);
    order.expect(!response || response.id === first?.id, `event ${number} of ${response?.id} in ${first?.id}`);
    const next = EVENT_TYPES.indexOf(LAST_TYPES.includes(type) ? 'response.completed' : type);
    const isDelta = type === 'response.output_text.delta';
    if (error === undefined) order.expect(next === step + 1 || (isDelta && next === step), `${type} at step ${step}`);
    // An answer without text has no deltas.
    step = next === 3 ? 3 : next;
    text += isDelta ? (delta ?? '') : '';
    if (type === 'response.output_text.done') order.expect(event.text === text, 'the deltas are not the text');
  }
  const ended = last !== undefined && LAST_TYPES.includes(last.type);
  const answer = ended && last.response && !error ? answerOf(last.response, order) : partOf(first, text);
  if (ended && !error) order.expect(answer.choices[0]?.text === text, 'the deltas are not the output');
  return {
    answer,
    id: first?.id ?? '',
    ended: ended && !error,
    error: error ? (error.code ?? 'no code') : null,
    disorder: order.disorder,
  };
}

function partOf(response: WireResponse | undefined, text: string): Answer {
  return { model: response?.model ?? '', choices: [{ role: 'assistant', text, finishReason: null }], usage: null };
}

function answerOf({ id, object, status, model, output, usage }: WireResponse, order: Order): Answer {
  order.expect(id.startsWith('resp_') && object === 'response', `id ${id} of a ${object}`);
  return {
    model,
    choices: output.map((item) => {
      order.expect(item.type === 'message' && item.status === status, `a ${item.status} ${item.type}`);
      const text = (item.content ?? []).map((part) => part.text).join('');
      return { role: item.role ?? '', text, finishReason: status };
    }),
    usage: usage && [usage.input_tokens, usage.output_tokens],
  };
}
