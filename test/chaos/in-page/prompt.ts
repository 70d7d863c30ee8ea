import { createLanguageModel } from '../../../src/prompt-api/index.ts';
import type { Tabserve } from '../../../src/page/index.ts';
import { API_ERROR_CODES, type ApiError } from '../../../src/shared/api-error.ts';
import type { PageReply, PageRequest } from './ask.ts';

/** What a request by the Prompt API asks. */
export interface PromptBody {
  readonly model: string;
  readonly prompt: string;
}

type Outcome = Pick<PageReply, 'stage' | 'status' | 'body' | 'failure' | 'retryAfter' | 'isFinal'>;

/**
 * Asks by the Prompt API. The body of the reply has the text. Errors of this API have no code, so a failure is told as the
 * endpoint's last error.
 */
export async function prompt(tabserve: Tabserve, { body, abortAfter }: PageRequest): Promise<Outcome> {
  const { model, prompt: text } = JSON.parse(body ?? '{}') as PromptBody;
  const signal = abortAfter === null ? undefined : AbortSignal.timeout(abortAfter);
  const outcome = { stage: 'whole', failure: null, retryAfter: null, isFinal: false } as const;
  const answers: Promise<Outcome>[] = [];
  const observe = (action: Promise<void>) =>
    action.catch((thrown: unknown) => {
      const { code, message } = thrown as Partial<ApiError>;
      if (code !== undefined) {
        const status = API_ERROR_CODES[code];
        const body = JSON.stringify({ error: { code, message } });
        answers.push(Promise.resolve({ ...outcome, status, retryAfter: '1', body }));
      }
      throw thrown;
    });
  const observed = new Proxy(tabserve, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (name === 'ready') return observe(target.ready);
      if (name === 'load') return (id: string) => observe(target.load(id));
      if (name !== 'fetch') return typeof member === 'function' ? member.bind(target) : member;
      return async (...asked: Parameters<Tabserve['fetch']>) => {
        const response = await target.fetch(...asked);
        const { status, headers } = response;
        const retryAfter = headers.get('retry-after');
        const isFinal = headers.get('x-should-retry') === 'false';
        const copy = response.clone();
        answers.push(
          copy.text().then(
            (received) => ({ ...outcome, status, retryAfter, isFinal, body: errorIn(received) }),
            () => ({ ...outcome, stage: 'broken body', status, body: '' }),
          ),
        );
        return response;
      };
    },
  });
  const LanguageModel = createLanguageModel(observed, { model });
  try {
    const session = await LanguageModel.create({ samplingMode: 'most-predictable', ...(signal && { signal }) });
    const answer = await session.prompt(text, signal ? { signal } : {});
    session.destroy();
    return { ...outcome, status: 200, body: JSON.stringify({ model, text: answer }) };
  } catch (thrown) {
    const failure = String(thrown);
    if (signal?.aborted) return { ...outcome, stage: 'broken body', status: 200, body: '', failure: 'TimeoutError' };
    const last = await answers.at(-1);
    if (last !== undefined && last.body !== '') return last;
    return { ...outcome, stage: 'broken body', status: null, body: '', failure };
  }
}

/** Returns the error of a JSON body, or at the end of a stream, as a JSON document; empty if there is none. */
function errorIn(body: string): string {
  const document = body.startsWith('{') ? body : (/^data: (\{"error".*)$/m.exec(body)?.[1] ?? '');
  return document.includes('"error"') ? document : '';
}
