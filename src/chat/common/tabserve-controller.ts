import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { PageStatus, Tabserve } from '../../page/index.ts';

/** Renders its host anew whenever the endpoint's state changes. */
export class TabserveController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #tabserve: () => Tabserve | undefined;
  #watched: Tabserve | undefined;

  constructor(host: ReactiveControllerHost, tabserve: () => Tabserve | undefined) {
    this.#host = host;
    this.#tabserve = tabserve;
    host.addController(this);
  }

  get status(): PageStatus | undefined {
    return this.#tabserve()?.status;
  }

  get updateAvailable(): boolean {
    return this.#tabserve()?.updateAvailable ?? false;
  }

  readonly #update = (): void => this.#host.requestUpdate();

  hostUpdate(): void {
    const tabserve = this.#tabserve();
    if (tabserve === this.#watched) return;
    this.hostDisconnected();
    this.#watched = tabserve;
    tabserve?.addEventListener('statuschange', this.#update);
    tabserve?.addEventListener('updateavailable', this.#update);
  }

  hostDisconnected(): void {
    this.#watched?.removeEventListener('statuschange', this.#update);
    this.#watched?.removeEventListener('updateavailable', this.#update);
    this.#watched = undefined;
  }

  hostConnected(): void {
    this.#host.requestUpdate();
  }
}
