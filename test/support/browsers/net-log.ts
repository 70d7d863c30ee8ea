import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface NetLogFile {
  readonly constants: { readonly logEventTypes: Readonly<Record<string, number>> };
  readonly events: readonly {
    readonly type: number;
    readonly params?: { readonly url?: string; readonly initiator?: string; readonly method?: string };
  }[];
}

/** The browser's own network log, which includes the requests of pages, service workers and shared workers. */
export class NetLog {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tabserve-net-log-'));
  readonly #file = join(this.#folder, 'net-log.json');
  /** Command line flag that enables the log. */
  readonly flag = `--log-net-log=${this.#file}`;

  /**
   * Returns the method and address of every network request by a site's code, in any page or worker. Requests of the
   * browser itself, such as updates, have no initiator and are left out. Call it after the browser is closed.
   */
  requests(): readonly { readonly method: string; readonly address: URL }[] {
    const { constants, events } = JSON.parse(readFileSync(this.#file, 'utf8')) as NetLogFile;
    const started = constants.logEventTypes['URL_REQUEST_START_JOB'];
    return events.flatMap(({ type, params }) =>
      type === started && params?.url && params.initiator?.startsWith('http')
        ? [{ method: params.method ?? '', address: new URL(params.url) }]
        : [],
    );
  }

  delete(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
