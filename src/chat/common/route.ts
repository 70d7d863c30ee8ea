import type { ReactiveControllerHost } from 'lit';
import { listenToWindow } from './listen-to-window.ts';

/** Where the page is. The address bar's hash is the only place that knows. */
export type Route =
  | { readonly view: 'chat'; readonly conversation: string | null }
  | { readonly view: 'temporary' | 'models' | 'developers' | 'privacy' };

/** Reads a hash such as `#/chat/4f…`; whatever is not understood is a new conversation. */
export function parseRoute(hash: string): Route {
  const [view, id] = hash.replace(/^#\/?/, '').split('/');
  if (view === 'temporary' || view === 'models' || view === 'developers' || view === 'privacy') return { view };
  if (view === 'chat' && id !== undefined && /^[\w-]+$/.test(id)) return { view: 'chat', conversation: id };
  return { view: 'chat', conversation: null };
}

export function conversationAddress(id: string): string {
  return `#/chat/${id}`;
}

/** Keeps a component in step with the address bar. */
export class RouteController {
  route: Route = parseRoute(location.hash);
  readonly #host: ReactiveControllerHost;
  readonly #changed: (route: Route) => void;

  constructor(host: ReactiveControllerHost, changed: (route: Route) => void = () => {}) {
    this.#host = host;
    this.#changed = changed;
    listenToWindow(host, 'hashchange', this.#read);
  }

  readonly #read = (): void => {
    this.route = parseRoute(location.hash);
    this.#changed(this.route);
    this.#host.requestUpdate();
  };
}
