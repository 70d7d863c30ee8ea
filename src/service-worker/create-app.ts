import { ApiError, type ApiErrorCode } from '../shared/api-error.ts';
import { quote } from '../shared/describe-value.ts';
import type { CallEngine, CompletionService } from '../shared/engine/engine.ts';
import type { KeyGrant } from '../shared/keys/find-key-grant.ts';
import { sha256 } from '../shared/keys/sha256.ts';
import type { ModelEntry } from '../shared/models/model-entry.ts';
import { isLogged } from '../shared/storage/request-record.ts';
import type { AnswerRecords } from '../shared/storage/stored-answer.ts';
import { trace } from '../shared/trace/trace.ts';
import { DEFAULT_SETTINGS, type AppSettings } from './app-settings.ts';
import { StoredAnswers } from './engine/stored-answers.ts';
import { randomId, type Exchange } from './http/exchange.ts';
import { errorResponse, finishResponse, optionsResponse, toApiError } from './http/http-responses.ts';
import { messagesErrorBody, speaksMessages } from '../shared/http/messages-api-errors.ts';
import { apiKey, requireApiKey } from './http/require-api-key.ts';
import type { AdmitCompletion } from './engine/admission.ts';
import type { ModelAbsence } from './models/absent-models.ts';
import { permittedModels } from './models/permitted-models.ts';
import type { ExchangeObserver, ExchangeStart } from './request-log/exchange-observer.ts';
import { findRoute } from './routes/find-route.ts';
import type { Upstreams } from './upstreams/upstreams.ts';

export interface AppDependencies {
  readonly service: CompletionService;
  readonly callEngine: CallEngine;
  /** The models that run on this device without a download. */
  readonly models: () => Promise<readonly ModelEntry[]>;
  /** Finds one of `models` by its id; null if none has it. */
  readonly findModel: (id: string) => Promise<ModelEntry | null>;
  /** Says why `models` lacks a model, for the error; null for an unknown model. */
  readonly absence: (id: string) => Promise<ModelAbsence | null>;
  /** Ids of models that could be downloaded. */
  readonly absentModels: () => Promise<readonly string[]>;
  /** Looks up what a bearer token permits; null if it is not accepted. Called once per request. */
  readonly findKey: (token: string) => Promise<KeyGrant | null>;
  /** The stored answers of this device. */
  readonly answers: AnswerRecords;
  /** Aliases of models → their ids. */
  readonly aliases: Readonly<Record<string, string>>;
  /**
   * Called when a request arrives. The returned function waits until the completion may start: not while a newer build
   * of the service worker takes over.
   */
  readonly admit: () => AdmitCompletion;
  /** Whether the client with this id (page, frame, worker) is known to be closed. */
  readonly clientDisconnected: (clientId: string) => Promise<boolean>;
  /** Upstreams: other servers with the same API that may respond instead of this device. Default: none. */
  readonly upstreams?: Upstreams | undefined;
  /** Returns a sentence that is added to errors which other options of the site may prevent. Default: none. */
  readonly advice?: () => string | null;
  readonly settings?: Partial<AppSettings>;
  /**
   * Called for each request, unless its log header forbids that; returns an observer of it. Default: no observer.
   */
  readonly observe?: (start: ExchangeStart) => ExchangeObserver | null;
}

/** What a fetch event provides besides the request. */
export interface RequestContext {
  /**
   * Id of the page, frame or worker that sent the request. It is part of the fingerprint by which a repeated request is
   * recognised. Default: empty.
   */
  readonly clientId?: string;
}

/** The HTTP service as a function from request to response. It uses web standards only, so it also runs in Node. */
export interface App {
  /** Responds to a request. Never rejects: errors become responses. */
  fetch(request: Request, context?: RequestContext): Promise<Response>;
}

/** What a request without a key may use. */
const NO_GRANT: KeyGrant = { name: '', models: [] };

/** Errors of requests for what the site's options may lack. */
const DEPENDS_ON_OPTIONS: ReadonlySet<ApiErrorCode> = new Set(['invalid_api_key', 'model_not_found', 'unknown_url']);

/** A request that has not been checked yet. */
type IncomingRequest = Pick<Exchange, 'request' | 'path' | 'requestId' | 'clientId' | 'observer'>;

export function createApp(dependencies: AppDependencies): App {
  const settings = { ...DEFAULT_SETTINGS, ...dependencies.settings };
  const { service, callEngine, findKey, answers, clientDisconnected, admit, upstreams, observe } = dependencies;
  const waiting = new Set<object>();

  async function respond(incoming: IncomingRequest): Promise<Response> {
    const { request, path, observer } = incoming;
    refusePageLoads(request);
    const route = findRoute(path, settings.basePath);
    const allow = [...route.methods, 'OPTIONS'].join(', ');
    if (request.method === 'OPTIONS') return optionsResponse(allow);
    const admission = admit();
    const grant = route.isPublic ? NO_GRANT : await requireApiKey(request, findKey);
    if (!route.isPublic) observer?.authenticated(grant.name);
    if (!route.methods.includes(request.method)) {
      const error = new ApiError(
        'method_not_supported',
        `This address serves ${allow}, but not ${quote(request.method)}.`,
      );
      return failed(incoming, error, { allow });
    }
    const senderDisconnected = () => clientDisconnected(incoming.clientId);
    const { requestId, clientId } = incoming;
    const keyHash = () => sha256(apiKey(request) ?? '');
    const exchange: Exchange = {
      ...incoming,
      service,
      callEngine,
      keyHash,
      settings,
      admit: admission,
      waiting,
      clientDisconnected: senderDisconnected,
      answers: new StoredAnswers({
        records: answers,
        service,
        keyHash,
        requestId,
        clientId,
        clientDisconnected: senderDisconnected,
      }),
      models: permittedModels({ ...dependencies, grant }),
    };
    return upstreams?.answer(exchange, route, route.answer) ?? route.answer(exchange);
  }

  function failed({ request, path, requestId, observer }: IncomingRequest, error: ApiError, headers = {}): Response {
    observer?.failed(error.code);
    if (!speaksMessages(request.headers, path, settings.basePath)) return errorResponse(error, headers);
    return errorResponse(error, headers, messagesErrorBody(error, requestId));
  }

  function advised(error: ApiError): ApiError {
    const sentence = DEPENDS_ON_OPTIONS.has(error.code) ? (dependencies.advice?.() ?? null) : null;
    if (sentence === null) return error;
    return new ApiError(error.code, `${error.message} ${sentence}`, { param: error.param });
  }

  return {
    async fetch(request, { clientId = '' } = {}) {
      const started = performance.now();
      const requestId = `req_${randomId()}`;
      const { method } = request;
      const path = new URL(request.url).pathname;
      trace(requestId, method, path, `client ${clientId}`);
      const start = { requestId, method, path };
      const observer = isLogged(request) ? (observe?.(start) ?? null) : null;
      const incoming = { request, path, requestId, clientId, observer };
      const response = await respond(incoming).catch((thrown: unknown) =>
        failed(incoming, advised(toApiError(thrown))),
      );
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

/** Rejects navigations: forms and links of other sites can cause them, but an API call is never one. */
function refusePageLoads({ mode, destination }: Request): void {
  if (mode !== 'navigate' && destination === '') return;
  throw new ApiError('forbidden_request', 'This address answers API calls made by scripts, not page loads.');
}
