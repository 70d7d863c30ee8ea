import { eventData, Order, type Answer, type Api, type Choice, type Reading } from './api.ts';

interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

/** A message, or a part of one. */
interface WireMessage {
  readonly role?: string;
  readonly content?: string | null;
  readonly tool_calls?: readonly { readonly function: { readonly name?: string; readonly arguments?: string } }[];
}

interface WireChoice {
  readonly index: number;
  readonly message?: WireMessage;
  readonly delta?: WireMessage;
  readonly finish_reason: string | null;
}

interface WireDocument {
  readonly id?: string;
  readonly object?: string;
  readonly created?: number;
  readonly model?: string;
  readonly choices?: readonly WireChoice[];
  readonly usage?: Usage | null;
  readonly error?: { readonly code: string };
}

export const CHAT_COMPLETIONS: Api = {
  path: '/v1/chat/completions',
  streaming: { stream: true, stream_options: { include_usage: true } },
  readJson(body) {
    const document = JSON.parse(body) as WireDocument;
    const { id = '', object, model = '', choices = [], error } = document;
    const order = new Order();
    order.expect(id.startsWith('chatcmpl-') && object === 'chat.completion', `id ${id} of a ${object}`);
    return {
      answer: {
        model,
        choices: choices.map(({ message, finish_reason }) => {
          return { role: message?.role ?? '', text: textOf(message), finishReason: finish_reason };
        }),
        usage: usageOf(document),
      },
      id,
      ended: true,
      error: error?.code ?? null,
      disorder: error ? null : order.disorder,
    };
  },
  readStream: (body) => new ChunkReader().read(eventData(body)),
};

/** Completions that the site stores, and that their client asks for again. */
export const STORED_COMPLETIONS: Api = { ...CHAT_COMPLETIONS, streaming: null, manner: 'reading back' };

/** Completions of a server that the site forwards requests to. */
export const UPSTREAM_COMPLETIONS: Api = { ...CHAT_COMPLETIONS, manner: 'upstream' };

/** Reads the chunks of a stream, and checks that they belong together and come in the API's order. */
class ChunkReader {
  readonly #order = new Order();
  readonly #choices: Choice[] = [];
  #first: WireDocument | null = null;
  #usage: Answer['usage'] = null;
  #error: string | null = null;
  #ended = false;

  read(events: readonly string[]): Reading {
    for (const data of events) {
      this.#order.expect(!this.#ended, 'an event after [DONE]');
      this.#order.expect(this.#error === null, 'an event after the error');
      if (data === '[DONE]') this.#end();
      else this.#readChunk(JSON.parse(data) as WireDocument);
    }
    const { id = '', model = '' } = this.#first ?? {};
    return {
      answer: { model, choices: this.#choices, usage: this.#usage },
      id,
      ended: this.#ended,
      error: this.#error,
      disorder: this.#order.disorder,
    };
  }

  #end(): void {
    this.#ended = true;
    this.#order.expect(this.#error === null, '[DONE] after an error');
    const unfinished = this.#choices.findIndex((choice) => choice?.finishReason == null);
    this.#order.expect(unfinished < 0, `[DONE] before the end of choice ${unfinished}`);
  }

  #readChunk(chunk: WireDocument): void {
    if (chunk.error) {
      this.#error = chunk.error.code;
      return;
    }
    const { id = '', object, created, model, choices = [] } = chunk;
    const first = (this.#first ??= chunk);
    this.#order.expect(id.startsWith('chatcmpl-') && object === 'chat.completion.chunk', `id ${id} of a ${object}`);
    this.#order.expect(
      id === first.id && created === first.created && model === first.model,
      `a chunk of ${id}, ${created}, ${model} in the stream of ${first.id}, ${first.created}, ${first.model}`,
    );
    this.#order.expect(this.#usage === null, 'a chunk after the usage');
    this.#usage = usageOf(chunk);
    for (const choice of choices) this.#readDelta(choice);
  }

  #readDelta({ index, delta = {}, finish_reason }: WireChoice): void {
    const isFirst = this.#choices[index] === undefined;
    const choice = (this.#choices[index] ??= { role: delta.role ?? '', text: '', finishReason: null });
    this.#order.expect(isFirst === (delta.role !== undefined), `a role ${isFirst ? 'missing' : 'repeated'}`);
    this.#order.expect(choice.finishReason === null, `a delta after the end of choice ${index}`);
    choice.text += textOf(delta);
    choice.finishReason = finish_reason;
  }
}

/** The text with the names and arguments of the tool calls, as far as this part of a message has them. */
function textOf({ content, tool_calls: calls = [] }: WireMessage = {}): string {
  return (content ?? '') + calls.map((call) => (call.function.name ?? '') + (call.function.arguments ?? '')).join('');
}

function usageOf({ usage }: WireDocument): Answer['usage'] {
  return usage ? [usage.prompt_tokens, usage.completion_tokens] : null;
}
