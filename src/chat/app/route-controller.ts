import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { parseRoute, type Route } from './route.ts';

/** Keeps a component in step with the address bar. */
export class RouteController implements ReactiveController {
  route: Route = parseRoute(location.hash);
  readonly #host: ReactiveControllerHost;
  readonly #changed: (route: Route) => void;

  constructor(host: ReactiveControllerHost, changed: (route: Route) => void = () => {}) {
    this.#host = host;
    this.#changed = changed;
    host.addController(this);
  }

  readonly #read = (): void => {
    this.route = parseRoute(location.hash);
    this.#changed(this.route);
    this.#host.requestUpdate();
  };

  hostConnected(): void {
    addEventListener('hashchange', this.#read);
  }

  hostDisconnected(): void {
    removeEventListener('hashchange', this.#read);
  }
}
