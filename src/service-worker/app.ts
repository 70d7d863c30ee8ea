import { ApiError } from '../shared/api-error.ts';
import type { KeyGrant } from '../shared/keys/check-api-key.ts';
import type { CallEngine, CompletionService } from '../shared/engine/engine.ts';
import { engineUnavailable } from '../shared/engine/engine-errors.ts';
import type { ModelEntry } from '../shared/models/model-entry.ts';
import { LOG_HEADER } from '../shared/storage/request-record.ts';
import { sha256 } from '../shared/keys/sha256.ts';
import type { AnswerRecords } from '../shared/storage/stored-answer.ts';
import { trace } from '../shared/trace/trace.ts';
import { DEFAULT_SETTINGS, type AppSettings } from './app-settings.ts';
import { bearerToken, requireBearerToken } from './http/require-api-key.ts';
import type { ExchangeObserver, ExchangeStart } from './request-log/exchange-observer.ts';
import { randomId, type Exchange } from './http/exchange.ts';
import type { ModelAbsence } from './models/absent-models.ts';
import type { AdmitAnswer } from './lifecycle/takeover.ts';
import { permittedModels } from './models/permitted-models.ts';
import { quote } from '../shared/describe-value.ts';
import { errorResponse, finishResponse, optionsResponse, toApiError } from './http/http-responses.ts';
import { findRoute } from './routes/routes.ts';
import { StoredAnswers } from './completion/stored-answers.ts';
import type { Upstreams } from './upstreams/upstreams.ts';

export interface AppDependencies {
  readonly service: CompletionService;
  /** Calls the engine. Default: there is none to be called. */
  readonly callEngine?: CallEngine;
  /** The models that can answer on this device now, without a further download. */
  readonly models: () => Promise<readonly ModelEntry[]>;
  /** One of them; null for an id that is not among them. Default: looks through all of them. */
  readonly findModel?: (id: string) => Promise<ModelEntry | null>;
  /** Why a model is not among them; null when nobody has heard of it, which is also the default. */
  readonly absence?: (id: string) => Promise<ModelAbsence | null>;
  /** Ids of the models that are not among them and could be. Default: none are known. */
  readonly absentModels?: () => Promise<readonly string[]>;
  /** What a bearer key allows; null when it is not accepted. IncomingRequest anew for every request. */
  readonly findKey: (token: string) => Promise<KeyGrant | null>;
  /** The answers on this device. Default: none can be stored. */
  readonly answers?: AnswerRecords;
  /** Further names for models → their ids. Default: none. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Looks whether an answer may begin, for each request when it comes. Default: it may. */
  readonly admit?: () => AdmitAnswer;
  /** Whether the client with this id (page, frame, worker) is known to have gone. Default: never known. */
  readonly clientGone?: (clientId: string) => Promise<boolean>;
  /** Engines beyond this device. Default: there are none, and every answer is made here. */
  readonly upstreams?: Upstreams | undefined;
  readonly settings?: Partial<AppSettings>;
  /** Called for every request that does not forbid it ({@link LOG_HEADER}); what it gives is told what becomes of that. Default: nobody is told. */
  readonly observe?: (start: ExchangeStart) => ExchangeObserver | null;
}

/** What a fetch event knows beside the request. */
export interface RequestContext {
  /** Id of the client (page, frame, worker) that asks; part of the fingerprint. Default: empty. */
  readonly clientId?: string;
}

/** The HTTP service as a pure function of requests; it needs nothing but web standards. */
export interface App {
  /** Never rejects: whatever happens, the answer is a response. */
  fetch(request: Request, context?: RequestContext): Promise<Response>;
}

async function keepsNothing(): Promise<never> {
  throw new ApiError('storage_unavailable', 'Answers are not stored here.');
}

const NO_ANSWERS: AnswerRecords = {
  add: keepsNothing,
  find: keepsNothing,
  list: keepsNothing,
  setMetadata: keepsNothing,
  delete: keepsNothing,
  deleteAll: keepsNothing,
  addLog: keepsNothing,
  log: keepsNothing,
};

async function noEngine(): Promise<never> {
  throw engineUnavailable('No engine can be called here.');
}

/** A request before anything of it is checked. */
type IncomingRequest = Pick<Exchange, 'request' | 'path' | 'requestId' | 'clientId' | 'observer'>;

export function createApp(dependencies: AppDependencies): App {
  const settings = { ...DEFAULT_SETTINGS, ...dependencies.settings };
  const { service, models, absence = async () => null, findKey, aliases = {}, observe } = dependencies;
  const { callEngine = noEngine, absentModels = async () => [] } = dependencies;
  const { answers = NO_ANSWERS, clientGone = async () => false, admit = () => async () => {} } = dependencies;
  const { upstreams } = dependencies;
  const { findModel = async (id) => (await models()).find((model) => model.id === id) ?? null } = dependencies;

  async function answer(incoming: IncomingRequest): Promise<Response> {
    const { request, path, observer } = incoming;
    refusePageLoads(request);
    const route = findRoute(path, settings.basePath);
    const allow = [...route.methods, 'OPTIONS'].join(', ');
    if (request.method === 'OPTIONS') return optionsResponse(allow);
    if (!route.methods.includes(request.method)) {
      const error = new ApiError(
        'method_not_supported',
        `This address serves ${allow}, but not ${quote(request.method)}.`,
      );
      observer?.failed(error.code);
      return errorResponse(error, { allow });
    }
    const admission = admit();
    const grant = await requireBearerToken(request, findKey);
    observer?.authenticated(grant.name);
    const senderGone = () => clientGone(incoming.clientId);
    const { requestId, clientId } = incoming;
    const keyHash = () => sha256(bearerToken(request) ?? '');
    const exchange: Exchange = {
      ...incoming,
      service,
      callEngine,
      settings,
      admit: admission,
      clientGone: senderGone,
      answers: new StoredAnswers({ records: answers, service, keyHash, requestId, clientId, clientGone: senderGone }),
      models: permittedModels({ models, findModel, absence, absentModels, grant, aliases }),
    };
    return upstreams?.answer(exchange, route, route.answer) ?? route.answer(exchange);
  }

  return {
    async fetch(request, { clientId = '' } = {}) {
      const started = performance.now();
      const requestId = `req_${randomId()}`;
      const { method } = request;
      const path = new URL(request.url).pathname;
      trace(requestId, method, path, `client ${clientId}`);
      const start = { requestId, method, path };
      const observer = request.headers.get(LOG_HEADER) === 'none' ? null : (observe?.(start) ?? null);
      let response: Response;
      try {
        response = await answer({ request, path, requestId, clientId, observer });
      } catch (thrown) {
        const error = toApiError(thrown);
        observer?.failed(error.code);
        response = errorResponse(error);
      }
      trace(requestId, `status ${response.status}`, `after ${Math.round(performance.now() - started)} ms`);
      observer?.responded(response.status, isEventStream(response));
      if (response.status === 200 && response.headers.get('content-type') === 'application/json') {
        response.headers.set('openai-processing-ms', String(Math.round(performance.now() - started)));
      }
      return finishResponse(response, request, requestId);
    },
  };
}

function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}

/** A form or link of another site can reach a service worker as a navigation; an API call never is one. */
function refusePageLoads({ mode, destination }: Request): void {
  if (mode !== 'navigate' && destination === '') return;
  throw new ApiError('forbidden_request', 'This address answers API calls made by scripts, not page loads.');
}
