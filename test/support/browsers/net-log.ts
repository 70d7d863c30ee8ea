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

/** The browser's own record of its network: it sees pages, service workers and shared workers alike. */
export class NetLog {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tabserve-net-log-'));
  readonly #file = join(this.#folder, 'net-log.json');
  /** For the command line of the browser. */
  readonly flag = `--log-net-log=${this.#file}`;

  /**
   * Every address that code of a site began to fetch from a network, whichever page or worker it ran in, with its method.
   * What the browser wants for itself, such as updates, has no site as its initiator. Call it once the browser is closed.
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
