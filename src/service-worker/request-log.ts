import type { CompletionEvent, Usage } from '../shared/completion-event.ts';
import type { CompletionService } from '../shared/engine.ts';
import type { RequestRecord } from '../shared/request-record.ts';
import { createApp, type App, type AppDependencies } from './app.ts';
import { DEFAULT_SETTINGS } from './app-settings.ts';
import { readBytes } from './read-json-body.ts';

export interface RequestLogOptions {
  /** Keeps a record. What it throws is reported on the console and hurts no request. */
  readonly write: (record: RequestRecord) => Promise<void>;
  /** Whether questions and answers may be kept. Asked once for each request. */
  readonly keepsContent: () => Promise<boolean>;
}

/** The app, and a record of each request once its answer has ended. The answers themselves are not delayed. */
export function createLoggedApp(dependencies: AppDependencies, { write, keepsContent }: RequestLogOptions): App {
  const heard = new Map<string, Hearing>();
  const app = createApp({ ...dependencies, service: overheard(dependencies.service, heard) });

  async function record(question: Request, answer: Response, time: number, started: number): Promise<void> {
    const requestId = answer.headers.get('x-request-id') ?? '';
    const hearing = heard.get(requestId);
    const [keep, key, request, code] = await Promise.all([
      keepsContent(),
      keyName(question, dependencies.findKey),
      boundedText(question),
      errorCode(answer),
    ]);
    // A refusal has ended with its head; only a completion goes on.
    const outcome = code ?? (await hearing?.outcome) ?? 'complete';
    heard.delete(requestId);
    await write({
      requestId,
      time,
      method: question.method,
      path: new URL(question.url).pathname,
      key,
      model: hearing?.model ?? modelIn(request),
      status: answer.status,
      streamed: answer.headers.get('content-type')?.startsWith('text/event-stream') ?? false,
      duration: (hearing?.ended ?? performance.now()) - started,
      promptTokens: hearing?.usage?.promptTokens ?? null,
      completionTokens: hearing?.usage?.completionTokens ?? null,
      tokensPerSecond: hearing?.tokensPerSecond ?? null,
      outcome,
      content: keep ? { request, response: hearing?.text ?? '' } : null,
    });
  }

  return {
    async fetch(request, context) {
      const time = Date.now();
      const started = performance.now();
      const question = request.clone();
      const answer = await app.fetch(request, context);
      const copy = answer.ok ? new Response(null, answer) : answer.clone();
      if (request.method !== 'OPTIONS') void record(question, copy, time, started).catch(console.error);
      return answer;
    },
  };
}

/** What was heard of one completion. */
class Hearing {
  readonly model: string;
  readonly outcome: Promise<string>;
  usage: Usage | null = null;
  text = '';
  ended: number | null = null;
  #settle: (outcome: string) => void = () => {};
  #firstDelta: number | null = null;
  #lastDelta = 0;

  constructor(model: string) {
    this.model = model;
    this.outcome = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get tokensPerSecond(): number | null {
    const tokens = this.usage?.completionTokens ?? 0;
    const seconds = (this.#lastDelta - (this.#firstDelta ?? 0)) / 1000;
    return tokens < 2 || this.#firstDelta === null || seconds <= 0 ? null : (tokens - 1) / seconds;
  }

  hear(event: CompletionEvent): void {
    if (event.type === 'delta') {
      this.#lastDelta = performance.now();
      this.#firstDelta ??= this.#lastDelta;
      this.text +=
        (event.reasoning ?? '') +
        (event.content ?? '') +
        (event.toolCalls ?? []).map((call) => call.arguments).join('');
    } else if (event.type === 'done') {
      this.usage = event.usage;
      this.end('complete');
    } else if (event.type === 'error') this.end(event.error.code);
  }

  end(outcome: string): void {
    this.ended ??= performance.now();
    this.#settle(outcome);
  }
}

function overheard(service: CompletionService, heard: Map<string, Hearing>): CompletionService {
  return {
    complete(request, options) {
      const hearing = new Hearing(request.model);
      heard.set(options.requestId, hearing);
      const reader = service.complete(request, options).getReader();
      return new ReadableStream<readonly CompletionEvent[]>(
        {
          async pull(controller) {
            const { done, value } = await reader.read();
            if (done) {
              hearing.end('complete');
              controller.close();
              return;
            }
            for (const event of value) hearing.hear(event);
            controller.enqueue(value);
          },
          cancel(reason) {
            hearing.end('cancelled');
            return reader.cancel(reason);
          },
        },
        { highWaterMark: 0 },
      );
    },
  };
}

/** What is too large to be answered is too large to be kept, and may have no end. */
async function boundedText(question: Request): Promise<string> {
  const bytes = await readBytes(question, DEFAULT_SETTINGS.maxBodyBytes).catch(() => null);
  return bytes === null ? '' : new TextDecoder().decode(bytes);
}

async function keyName(request: Request, findKey: AppDependencies['findKey']): Promise<string | null> {
  const token = /^bearer +(\S+)$/i.exec(request.headers.get('authorization')?.trim() ?? '')?.[1];
  return token === undefined ? null : ((await findKey(token))?.name ?? null);
}

async function errorCode(answer: Response): Promise<string | null> {
  if (answer.ok) return null;
  const body = (await answer.json().catch(() => null)) as { readonly error?: { readonly code?: unknown } } | null;
  return String(body?.error?.code ?? answer.status);
}

/** The model that was asked for, where the request did not get as far as a completion. */
function modelIn(request: string): string | null {
  try {
    const { model } = JSON.parse(request) as { readonly model?: unknown };
    return typeof model === 'string' ? model.slice(0, 200) : null;
  } catch {
    return null;
  }
}
