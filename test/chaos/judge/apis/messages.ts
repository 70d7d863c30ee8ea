import { eventData, Order, type Answer, type Api, type Reading } from './api.ts';

interface Usage {
  readonly input_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly output_tokens: number;
}

/** Without content, reason and usage it is an error. */
interface WireMessage {
  readonly id: string;
  readonly type: string;
  readonly role: string;
  readonly model: string;
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly stop_reason?: string | null;
  readonly usage?: Usage;
}

interface WireEvent {
  readonly type: string;
  readonly message?: WireMessage;
  readonly delta?: { readonly text?: string; readonly stop_reason?: string | null };
  readonly usage?: Usage;
  readonly error?: { readonly type: string };
}

/** The types of the events of a message of one text. `content_block_delta` may be repeated, `ping` may come anywhere. */
const EVENT_TYPES = [
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
];

export const MESSAGES: Api = {
  path: '/v1/messages',
  streaming: { stream: true },
  readJson(body) {
    const document = JSON.parse(body) as WireMessage & { readonly error?: { readonly type: string } };
    const error = document.error?.type ?? null;
    const order = new Order();
    const { content = [], stop_reason: reason = null, usage } = document;
    const text = content.map((block) => block.text ?? '').join('');
    if (error === null) checkMessage(document, order);
    return {
      answer: answerOf(document, text, reason, usage),
      id: document.id ?? '',
      ended: true,
      error,
      disorder: order.disorder,
    };
  },
  readStream(body) {
    const events = eventData(body).map((data) => JSON.parse(data) as WireEvent);
    return readEvents(events.filter(({ type }) => type !== 'ping'));
  },
};

function readEvents(events: readonly WireEvent[]): Reading {
  const order = new Order();
  const message = events.find((event) => event.message)?.message;
  let text = '';
  let reason: string | null = null;
  let usage: Usage | undefined;
  let error: string | null = null;
  let step = -1;
  for (const { type, delta, usage: counted, error: failure } of events) {
    order.expect(error === null, 'an event after the error');
    if (failure) error = failure.type;
    else {
      const next = EVENT_TYPES.indexOf(type);
      order.expect(next === step + 1 || (type === 'content_block_delta' && next === step), `${type} at step ${step}`);
      step = next;
    }
    text += delta?.text ?? '';
    reason = delta?.stop_reason ?? reason;
    usage = counted ?? usage;
  }
  if (message) checkMessage(message, order);
  return {
    answer: answerOf(message, text, reason, usage),
    id: message?.id ?? '',
    ended: events.at(-1)?.type === 'message_stop',
    error,
    disorder: order.disorder,
  };
}

function checkMessage({ id, type }: WireMessage, order: Order): void {
  order.expect(id.startsWith('msg_') && type === 'message', `id ${id} of a ${type}`);
}

function answerOf(message: WireMessage | undefined, text: string, reason: string | null, usage?: Usage): Answer {
  return {
    model: message?.model ?? '',
    choices: [{ role: message?.role ?? '', text, finishReason: reason }],
    // Cached tokens are not among the input tokens; how many there are depends on the request before.
    usage: usage ? [usage.input_tokens + usage.cache_read_input_tokens, usage.output_tokens] : null,
  };
}
