import { ApiError } from '../shared/api-error.ts';
import { createChatCompletion } from './chat-completions.ts';
import type { Exchange } from './exchange.ts';
import { listModels, retrieveModel } from './models.ts';

export interface Route {
  /** Every method served beside OPTIONS. */
  readonly methods: readonly string[];
  answer(exchange: Exchange): Promise<Response>;
}

/**
 * What is served at a path. One trailing slash is tolerated.
 * @throws ApiError `unknown_url` when nothing is.
 */
export function findRoute(path: string, basePath: string): Route {
  const below = path.startsWith(`${basePath}/`) ? path.slice(basePath.length).replace(/\/$/, '') : '';
  if (below === '/chat/completions') return { methods: ['POST'], answer: createChatCompletion };
  if (below === '/models') return { methods: ['GET', 'HEAD'], answer: listModels };
  const id = below.startsWith('/models/') ? decode(below.slice('/models/'.length)) : '';
  if (id !== '') return { methods: ['GET', 'HEAD'], answer: (exchange) => retrieveModel(exchange, id) };
  throw new ApiError(
    'unknown_url',
    `Nothing is served at this address. Chat completions are at ${basePath}/chat/completions.`,
  );
}

/** The id in a path; a malformed escape names nothing. */
function decode(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch {
    return '';
  }
}
