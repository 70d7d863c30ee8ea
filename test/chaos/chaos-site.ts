import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveBuiltSite } from '../../src/command-line/http-server/serve-built-site.ts';
import type { LocalModel } from '../../src/command-line/local-models.ts';
import { ChaosUpstream } from './chaos-upstream.ts';
import { serveControlSite, type ControlSite } from './empty-site/control-site.ts';

/** A copy of the built site that can go offline and publish a newer service worker. */
export class ChaosSite {
  readonly #folder: string;
  /** Folders of builds, of which the next one to publish is the first. */
  readonly #next: string[];
  readonly #target: number;
  readonly #closeServer: () => Promise<void>;
  readonly #control: ControlSite;
  readonly upstream: Pick<ChaosUpstream, 'answering' | 'goAway'>;
  readonly #connections = new Set<Socket>();
  /** For each connection to the web server, the one to the browser. */
  readonly #onward = new Map<Socket, Socket>();
  #stalls = 0;
  #gate: Server | null = null;
  #port = 0;
  #builds = 0;

  private constructor(
    { folder, builds }: { readonly folder: string; readonly builds: readonly string[] },
    url: string,
    closeServer: () => Promise<void>,
    control: ControlSite,
    upstream: ChaosSite['upstream'],
  ) {
    this.#folder = folder;
    this.#next = [...builds];
    this.#target = Number(new URL(url).port);
    this.#closeServer = closeServer;
    this.#control = control;
    this.upstream = upstream;
  }

  /**
   * Serves a copy of the site.
   * @param dist Folder of the built site, which stays unchanged.
   * @param gguf The models that the site offers. Default: none.
   * @param otherBuild Folder of another build, which takes turns with the first one. Default: a new build differs from the
   * last one in one line of its service worker.
   */
  static async start(dist: string, gguf: readonly LocalModel[] = [], otherBuild?: string): Promise<ChaosSite> {
    const folder = mkdtempSync(join(tmpdir(), 'tabserve-chaos-site-'));
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    cpSync(dist, folder, { recursive: true });
    const builds = otherBuild === undefined ? [] : [otherBuild, dist];
    const upstream = await ChaosUpstream.start();
    const server = await serveBuiltSite({ folder, gguf, upstreams: [upstream.option] });
    const control = await serveControlSite();
    const close = async (): Promise<void> => void (await Promise.all([server.close(), upstream.close()]));
    const site = new ChaosSite({ folder, builds }, server.url, close, control, upstream);
    await site.goOnline();
    return site;
  }

  /** Address of the root, with a trailing slash. */
  get url(): string {
    return `http://localhost:${this.#port}/`;
  }

  /** Address of a page of another origin, which is always online. */
  get controlUrl(): string {
    return this.#control.url;
  }

  get online(): boolean {
    return this.#gate !== null;
  }

  /** Refuses new connections and breaks the existing ones. */
  goOffline(): void {
    this.#gate?.close();
    this.#gate = null;
    for (const connection of this.#connections) connection.destroy();
  }

  async goOnline(): Promise<void> {
    if (this.#gate) return;
    const gate = createServer((socket) => this.#pass(socket));
    this.#gate = gate;
    gate.listen(this.#port, 'localhost');
    await once(gate, 'listening');
    this.#port = (gate.address() as AddressInfo).port;
  }

  /** Sends nothing more on any connection, until the returned function is called. */
  stall(): () => void {
    this.#stalls++;
    for (const [from, to] of this.#onward) from.unpipe(to);
    return () => {
      if (--this.#stalls > 0) return;
      for (const [from, to] of this.#onward) from.pipe(to);
    };
  }

  /** Changes the bytes of the service worker script, which is how a browser detects a new build. */
  publishNewBuild(): void {
    const build = this.#next.shift();
    if (build !== undefined) {
      this.#next.push(build);
      for (const name of readdirSync(this.#folder)) rmSync(join(this.#folder, name), { recursive: true });
      cpSync(build, this.#folder, { recursive: true });
    }
    appendFileSync(join(this.#folder, 'site-service-worker.js'), `\n// build ${++this.#builds}\n`);
  }

  async close(): Promise<void> {
    this.goOffline();
    await this.#closeServer();
    await this.#control.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #pass(socket: Socket): void {
    const onward = connect(this.#target, 'localhost');
    this.#onward.set(onward, socket);
    onward.on('close', () => this.#onward.delete(onward));
    socket.pipe(onward);
    if (this.#stalls === 0) onward.pipe(socket);
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      this.#connections.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#connections.delete(from);
        to.destroy();
      });
    }
  }
}
