import type { CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import type { ModelEntry } from '../../../src/shared/models/model-entry.ts';
import {
  createApp,
  type App,
  type AppDependencies,
  type RequestContext,
} from '../../../src/service-worker/create-app.ts';
import type { ModelAbsence } from '../../../src/service-worker/models/absent-models.ts';
import { createScriptedService, type ScriptedService } from './scripted-service.ts';
import { appDependencies } from './app-dependencies.ts';

export const ORIGIN = 'https://tabserve.test';

const model = (id: string, more: Partial<ModelEntry> = {}): ModelEntry => ({
  id,
  created: 1_700_000_000,
  ownedBy: 'tests',
  contextWindow: 2048,
  vocabularySize: 1000,
  defaultTemperature: 0.7,
  defaultTopP: 0.95,
  images: false,
  thinking: null,
  modelUrl: `${ORIGIN}/models/${id}/`,
  libraryUrl: `${ORIGIN}/models/${id}.wasm`,
  ...more,
});

export const MODELS: readonly ModelEntry[] = [model('pocket', { ofSite: true }), model('org/seer', { images: true })];

/** Known models that are not on the device. */
const ABSENT: Readonly<Record<string, ModelAbsence>> = Object.assign(Object.create(null), {
  'catalogue/large': 'not-downloaded',
  'catalogue/coming': 'download-unfinished',
});

const KEYS: Readonly<Record<string, readonly string[] | null>> = { local: null, narrow: ['org/seer'] };

/** The smallest valid request. */
export const GOOD_BODY = { model: 'pocket', messages: [{ role: 'user', content: 'Hi' }] } as const;

export interface TestApp extends App {
  readonly service: ScriptedService;
  /** Sends a request to a path below `/v1`. Default: key `local`, JSON. */
  send(path: string, init?: RequestInit, context?: RequestContext): Promise<Response>;
  /** Requests a chat completion. A string is sent as the body unchanged. */
  chat(body: unknown, init?: RequestInit): Promise<Response>;
  /** Requests a text completion; `model` is added. */
  complete(fields: object): Promise<Response>;
  /** The engine's request for {@link GOOD_BODY} with `fields`. */
  received(fields: object): Promise<CompletionRequest>;
}

export function createTestApp(overrides: Partial<AppDependencies> = {}): TestApp {
  const service = createScriptedService();
  const app = createApp(
    appDependencies({
      service,
      models: async () => MODELS,
      findKey: async (token) => (Object.hasOwn(KEYS, token) ? { name: token, models: KEYS[token]! } : null),
      absence: async (id) => ABSENT[id] ?? null,
      absentModels: async () => Object.keys(ABSENT),
      aliases: { 'gpt-4o-mini': 'pocket', 'far-away': 'not-here', 'gpt-4o': 'catalogue/large' },
      ...overrides,
    }),
  );
  const send: TestApp['send'] = (path, init = {}, context = {}) => {
    const headers = new Headers({ authorization: 'Bearer local', 'content-type': 'application/json' });
    new Headers(init.headers).forEach((value, name) => headers.set(name, value));
    return app.fetch(new Request(`${ORIGIN}/v1${path}`, { ...init, headers }), context);
  };
  const chat: TestApp['chat'] = (body, init = {}) =>
    send('/chat/completions', {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...init,
    });
  return {
    fetch: app.fetch,
    service,
    send,
    chat,
    complete: (fields) =>
      send('/completions', { method: 'POST', body: JSON.stringify({ model: 'pocket', ...fields }) }),
    async received(fields) {
      const response = await chat({ ...GOOD_BODY, ...fields });
      if (response.status !== 200) throw new Error(await response.text());
      await response.body?.cancel();
      return service.completions.at(-1)!.request;
    },
  };
}
