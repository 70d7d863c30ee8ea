import type { CompletionRequest } from '../../shared/engine/completion-request.ts';

/** Whose requests a loaded model has answered. */
export class CacheScopes {
  /** The scopes (`CompletionRequest.cacheScope`) of all requests to a model since it was loaded. */
  readonly #scopes = new WeakMap<object, Set<string>>();

  /**
   * Returns the field with which llama.cpp answers a request without its cache, if the request needs that. llama.cpp reuses
   * the KV cache of whichever prompt is most alike. Once several sites use a model, that would tell one site by the time of
   * an answer what another has asked.
   */
  cachingFor({ cacheScope = '' }: CompletionRequest, model: object): { readonly cache_prompt?: false } {
    const scopes = this.#scopes.get(model) ?? new Set<string>();
    this.#scopes.set(model, scopes.add(cacheScope));
    return scopes.size > 1 ? { cache_prompt: false } : {};
  }
}
