import { ApiError } from '../shared/api-error.ts';
import type { KeyGrant } from '../shared/api-keys.ts';
import type { CompletionService } from '../shared/engine.ts';
import type { ModelEntry } from '../shared/model-entry.ts';
import { DEFAULT_SETTINGS, type AppSettings } from './app-settings.ts';
import { authenticate } from './authenticate.ts';
import type { ModelAbsence } from './model-absence.ts';
import { randomId } from './random-id.ts';
import { quote } from '../shared/describe-value.ts';
import { errorResponse, finishResponse, optionsResponse } from './responses.ts';
import { findRoute } from './routes.ts';
import { toApiError } from './to-api-error.ts';
import { usableModels } from './usable-models.ts';

export interface AppDependencies {
  readonly service: CompletionService;
  /** The models that can answer on this device now, without a further download. */
  readonly models: () => Promise<readonly ModelEntry[]>;
  /** Why a model is not among them; null when nobody has heard of it, which is also the default. */
  readonly absence?: (id: string) => Promise<ModelAbsence | null>;
  /** What a bearer key allows; null when it is not accepted. Asked anew for every request. */
  readonly findKey: (token: string) => Promise<KeyGrant | null>;
  /** Further names for models → their ids. Default: none. */
  readonly aliases?: Readonly<Record<string, string>>;
  readonly settings?: Partial<AppSettings>;
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

export function createApp(dependencies: AppDependencies): App {
  const settings = { ...DEFAULT_SETTINGS, ...dependencies.settings };
  const { service, models, absence = async () => null, findKey, aliases = {} } = dependencies;

  async function answer(request: Request, requestId: string, clientId: string): Promise<Response> {
    refusePageLoads(request);
    const route = findRoute(new URL(request.url).pathname, settings.basePath);
    const allow = [...route.methods, 'OPTIONS'].join(', ');
    if (request.method === 'OPTIONS') return optionsResponse(allow);
    if (!route.methods.includes(request.method)) {
      const error = new ApiError(
        'method_not_supported',
        `This address serves ${allow}, but not ${quote(request.method)}.`,
      );
      return errorResponse(error, { allow });
    }
    const grant = await authenticate(request, findKey);
    const usable = usableModels({ models, absence, grant, aliases });
    return route.answer({ request, requestId, clientId, service, settings, models: usable });
  }

  return {
    async fetch(request, { clientId = '' } = {}) {
      const started = performance.now();
      const requestId = `req_${randomId()}`;
      let response: Response;
      try {
        response = await answer(request, requestId, clientId);
      } catch (thrown) {
        response = errorResponse(toApiError(thrown));
      }
      if (response.status === 200 && response.headers.get('content-type') === 'application/json') {
        response.headers.set('openai-processing-ms', String(Math.round(performance.now() - started)));
      }
      return finishResponse(response, request, requestId);
    },
  };
}

/** A form or link of another site can reach a service worker as a navigation; an API call never is one. */
function refusePageLoads({ mode, destination }: Request): void {
  if (mode !== 'navigate' && destination === '') return;
  throw new ApiError('forbidden_request', 'This address answers API calls made by scripts, not page loads.');
}
