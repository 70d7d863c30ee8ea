import type { ReactiveControllerHost } from 'lit';
import { listenToWindow } from './listen-to-window.ts';

/** A message that was found, and what is to be marked in it. */
export interface FoundPlace {
  readonly message: string;
  /** As they stand there, together or apart; empty where it was found by what it means. */
  readonly words: string;
}

/** Where the page is. The address bar's hash is the only place that knows. */
export type Route =
  | { readonly view: 'chat'; readonly conversation: string | null; readonly found?: FoundPlace }
  | { readonly view: 'temporary' | 'models' | 'developers' | 'privacy' };

/** Reads a hash such as `#/chat/4f…`; whatever is not understood is a new conversation. */
export function parseRoute(hash: string): Route {
  const [view, id, message, words = ''] = hash.replace(/^#\/?/, '').split('/');
  if (view === 'temporary' || view === 'models' || view === 'developers' || view === 'privacy') return { view };
  if (view === 'chat' && id !== undefined && /^[\w-]+$/.test(id)) {
    const found = message === undefined || message === '' ? undefined : { message, words: decode(words) };
    return { view: 'chat', conversation: id, ...(found && { found }) };
  }
  return { view: 'chat', conversation: null };
}

/** @param found What is shown of it. Default: its end. */
export function conversationAddress(id: string, found?: FoundPlace): string {
  return found === undefined ? `#/chat/${id}` : `#/chat/${id}/${found.message}/${encodeURIComponent(found.words)}`;
}

function decode(words: string): string {
  try {
    return decodeURIComponent(words);
  } catch {
    return '';
  }
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
