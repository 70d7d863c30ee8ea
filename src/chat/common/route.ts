import type { ReactiveControllerHost } from 'lit';
import { hasNeutralTitles } from '../storage/local-storage-values.ts';
import { listenToWindow } from './listen-to-window.ts';

/** A search result inside a conversation. */
export interface FoundPlace {
  readonly message: string;
  /** Words to highlight; empty if the message was found by meaning. */
  readonly words: string;
}

/** The current screen. It is always derived from the hash in the address bar. */
export type Route =
  | { readonly view: 'chat'; readonly conversation: string | null; readonly found?: FoundPlace }
  | { readonly view: 'temporary' | 'documents' | 'models' | 'developers' | 'privacy' };

/** State in the browser's history of an entry that no choice of the user has opened, so that the drawer stays open. */
export const KEEPS_MENU = 'keeps-menu';

/** Parses a hash such as `#/chat/4f…`. An unknown hash is a new conversation. */
export function parseRoute(hash: string): Route {
  const [view, id, message, words = ''] = hash.replace(/^#\/?/, '').split('/');
  if (view === 'temporary' || view === 'documents' || view === 'models' || view === 'developers' || view === 'privacy')
    return { view };
  if (view === 'chat' && id !== undefined && /^[\w-]+$/.test(id)) {
    const found = message === undefined || message === '' ? undefined : { message, words: decode(words) };
    return { view: 'chat', conversation: id, ...(found && { found }) };
  }
  return { view: 'chat', conversation: null };
}

/**
 * Returns the address of a conversation.
 * @param found The message to scroll to. Default: scrolls to the end.
 */
export function conversationAddress(id: string, found?: FoundPlace): string {
  if (found === undefined) return `#/chat/${id}`;
  // The browser's history stores addresses.
  return `#/chat/${id}/${found.message}/${hasNeutralTitles() ? '' : encodeURIComponent(found.words)}`;
}

function decode(words: string): string {
  try {
    return decodeURIComponent(words);
  } catch {
    return '';
  }
}

/** Holds the current route, and updates its host when the address bar changes. */
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
