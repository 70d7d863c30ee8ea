import type { Tabserve } from '../../../src/page/index.ts';

interface Running {
  readonly reader: ReadableStreamDefaultReader<string>;
  text: string;
}

const controllers = new Map<string, AbortController>();
const running = new Map<string, Running>();

interface Question {
  readonly text: string;
  /** Default: the built-in model. */
  readonly model?: string;
  readonly stream?: boolean;
  readonly maxTokens?: number;
  /** Keeps the model from ending its answer before `maxTokens`. */
  readonly endless?: boolean;
  readonly seed?: number;
  readonly store?: boolean;
  /** Asks with the `fetch` of the page's endpoint instead of the browser's. */
  readonly resuming?: boolean;
}

/** The `fetch` of the page's endpoint. */
export const resumingFetch: typeof fetch = (input, init) =>
  document.querySelector<HTMLElement & { readonly tabserve: Tabserve }>('chat-app')!.tabserve.fetch(input, init);

function send(
  {
    text,
    model = 'pocket',
    stream = false,
    maxTokens,
    endless = false,
    seed,
    store = false,
    resuming = false,
  }: Question,
  signal?: AbortSignal,
): Promise<Response> {
  const ask = resuming ? resumingFetch : fetch;
  return ask('/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      stream,
      temperature: 0,
      messages: [{ role: 'user', content: text }],
      max_tokens: maxTokens ?? null,
      seed: seed ?? null,
      store,
      // Token 0 of the built-in model ends an answer, as do a call, which begins with token 32 (`<`), and a loop.
      logit_bias: endless ? { 0: -100, 32: -100 } : null,
      loop_detection: !endless,
    }),
    signal: signal ?? null,
  });
}

/** The content of a JSON answer. */
export async function ask(question: Question): Promise<string> {
  const response = await send(question);
  const body = await response.json();
  if (!body.choices) throw new Error(JSON.stringify(body));
  return body.choices[0].message.content;
}

/** Status and body of an answer. */
export async function answer(question: Question): Promise<{ status: number; retryAfter: string | null; body: string }> {
  const response = await send(question);
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body: await response.text() };
}

/** Starts a request under a name; resolves when its response headers have arrived. */
export async function begin(name: string, question: Question): Promise<number> {
  const controller = new AbortController();
  controllers.set(name, controller);
  const response = await send(question, controller.signal);
  running.set(name, { reader: response.body!.pipeThrough(new TextDecoderStream()).getReader(), text: '' });
  return response.status;
}

/** Reads until `pieces` pieces of text have come, or the end. */
export async function readPieces(name: string, pieces: number): Promise<number> {
  const request = running.get(name)!;
  while (content(request.text).length < pieces) {
    const { done, value } = await request.reader.read();
    if (done) break;
    request.text += value;
  }
  return content(request.text).length;
}

/** How many pieces of text have been read. */
export function countPieces(name: string): number {
  return content(running.get(name)!.text).length;
}

/** Reads to the end: the content, what the wire ended with, and the error that cut it off. */
export async function readToEnd(name: string): Promise<{ content: string; wireEnd: string; failure: string | null }> {
  const request = running.get(name)!;
  let failure: string | null = null;
  try {
    for (;;) {
      const { done, value } = await request.reader.read();
      if (done) break;
      request.text += value;
    }
  } catch (thrown) {
    failure = String(thrown);
  }
  return { content: content(request.text).join(''), wireEnd: request.text.slice(-200), failure };
}

/** Id of a completion of which a piece has come. */
export async function completionId(name: string): Promise<string> {
  return /"id":"([^"]+)"/.exec(running.get(name)!.text)![1]!;
}

/** Status of a stored completion, and its content or the code of the error. */
export async function retrieve(id: string): Promise<{ status: number; content: string }> {
  const response = await fetch(`/v1/chat/completions/${id}`, { headers: { authorization: 'Bearer local' } });
  const { choices, error } = await response.json();
  return { status: response.status, content: error?.code ?? choices[0].message.content };
}

/** Ids of the stored completions, oldest first. */
export async function listStored(): Promise<string[]> {
  const response = await fetch('/v1/chat/completions?limit=100', { headers: { authorization: 'Bearer local' } });
  const { data }: { data: { id: string }[] } = await response.json();
  return data.map(({ id }) => id);
}

/** Aborts a request, before or after its response headers. */
export function abort(name: string): void {
  controllers.get(name)!.abort();
}

function content(wire: string): string[] {
  return wire
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .flatMap((event) => JSON.parse(event.slice('data: '.length)).choices ?? [])
    .flatMap(({ delta }: { delta: { content?: string } }) => (delta.content ? [delta.content] : []));
}
