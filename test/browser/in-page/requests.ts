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
  /** Uses the page's `tabserve.fetch` instead of the browser's. */
  readonly resuming?: boolean;
}

/** The page's `tabserve.fetch`. */
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
      // Token 0 of the built-in model ends an answer. Token 32 (`<`) begins a tool call, which ends it, too.
      logit_bias: endless ? { 0: -100, 32: -100 } : null,
      loop_detection: !endless,
    }),
    signal: signal ?? null,
  });
}

/** Returns the content of a JSON answer. */
export async function ask(question: Question): Promise<string> {
  const response = await send(question);
  const body = await response.json();
  if (!body.choices) throw new Error(JSON.stringify(body));
  return body.choices[0].message.content;
}

/** Returns the status and the body of a response. */
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

/** Reads until `pieces` pieces of text have arrived, or until the end. @returns their number. */
export async function readPieces(name: string, pieces: number): Promise<number> {
  const request = running.get(name)!;
  while (content(request.text).length < pieces) {
    const { done, value } = await request.reader.read();
    if (done) break;
    request.text += value;
  }
  return content(request.text).length;
}

/** Returns how many pieces of text have been read. */
export function countPieces(name: string): number {
  return content(running.get(name)!.text).length;
}

/** Reads to the end. @returns the content, the last bytes of the body, and the error that interrupted it. */
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

/** Returns the id of a completion, of which a piece must have arrived. */
export async function completionId(name: string): Promise<string> {
  return /"id":"([^"]+)"/.exec(running.get(name)!.text)![1]!;
}

/** Returns the status of a stored completion, and its content or the code of the error. */
export async function retrieve(id: string): Promise<{ status: number; content: string }> {
  const response = await fetch(`/v1/chat/completions/${id}`, { headers: { authorization: 'Bearer local' } });
  const { choices, error } = await response.json();
  return { status: response.status, content: error?.code ?? choices[0].message.content };
}

/** Returns the ids of the stored completions, oldest first. */
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
