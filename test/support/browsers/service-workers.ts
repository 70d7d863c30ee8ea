import type { CDPSession, Page } from '@playwright/test';

interface Version {
  readonly versionId: string;
  readonly runningStatus: string;
  readonly status: string;
}

/** Controls the service workers of a page's browser, to stop them as the browser itself may do at any time. */
export class ServiceWorkerControl {
  readonly #session: CDPSession;
  readonly #versions = new Map<string, Version>();
  /** Number of times that each version was stopped. */
  readonly #stops = new Map<string, number>();

  private constructor(session: CDPSession) {
    this.#session = session;
    session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      for (const version of versions) {
        const { versionId, runningStatus } = version;
        this.#versions.set(versionId, version);
        if (runningStatus === 'stopped') this.#stops.set(versionId, (this.#stops.get(versionId) ?? 0) + 1);
      }
    });
  }

  static async attach(page: Page): Promise<ServiceWorkerControl> {
    const session = await page.context().newCDPSession(page);
    const control = new ServiceWorkerControl(session);
    await session.send('ServiceWorker.enable');
    return control;
  }

  /** Whether an activated service worker runs. */
  get running(): boolean {
    return [...this.#versions.values()].some(
      ({ status, runningStatus }) => status === 'activated' && runningStatus === 'running',
    );
  }

  /** Stops the active service worker without notifying it. */
  async stop(): Promise<void> {
    for (const { versionId, status } of this.#versions.values()) {
      if (status !== 'activated') continue;
      const before = this.#stops.get(versionId);
      await this.#session.send('ServiceWorker.stopWorker', { versionId });
      // A worker that is needed may have restarted by now, so the number of stops is checked, too.
      while (this.running && this.#stops.get(versionId) === before)
        await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
