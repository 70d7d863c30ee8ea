import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { fileURLToPath } from 'node:url';
import { findBrowser } from '../../src/command-line/browser/find-browser.ts';
import { SOFTWARE_GPU_FLAGS } from '../../src/command-line/browser/software-gpu-flags.ts';
import { withTimeout } from '../../src/shared/timeout.ts';
import { DevToolsConnection, type Target } from '../../src/command-line/browser/dev-tools-connection.ts';
import { DevToolsSession } from './dev-tools-session.ts';
import { Tab } from './tabs/tab.ts';

export interface WorkerDeath {
  readonly worker: 'service worker' | 'engine';
  /** Milliseconds of `performance.now()`. */
  readonly time: number;
}

/** Types of the targets in which engines run, and the workers in which llama.cpp computes for them. */
const ENGINE_TYPES: readonly string[] = ['shared_worker', 'worker'];

/** Whether a target runs a file of llama.cpp's. */
const isHelper = ({ url }: Target) => /\/llama-cpp-\w+\/worker\.js/.test(url);

/** What replaces {@link SOFTWARE_GPU_FLAGS} in a browser without WebGPU. */
const WITHOUT_GPU_FLAGS = [...SOFTWARE_GPU_FLAGS.filter((flag) => !flag.includes('webgpu')), '--disable-gpu'];

/** Milliseconds for the browser to attach to a worker. */
const ATTACH_TIME = 5000;

/** Milliseconds for the browser to end without being killed. */
const END_TIME = 5000;

/** Characters that are kept of what the browser writes. */
const KEPT_OUTPUT = 3000;

/** A browser of its own with a fresh profile. It is attached to its pages and to nothing else. */
export class ChaosBrowser {
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #functions: string;
  readonly #pageScript: string;
  readonly #targets = new Map<string, Target>();
  readonly #connection: DevToolsConnection;
  readonly #tabs: Tab[] = [];
  #output = '';
  /** Every worker that ended, whatever ended it. */
  readonly deaths: WorkerDeath[] = [];

  private constructor(process: ChildProcess, profile: string, functions: string, pageScript: string) {
    const [, , , input, output] = process.stdio;
    this.#process = process;
    this.#profile = profile;
    this.#functions = functions;
    this.#pageScript = pageScript;
    this.#connection = new DevToolsConnection(input as Writable, output as Readable);
    process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#output = (this.#output + text).slice(-KEPT_OUTPUT);
    });
    const note = ({ targetInfo }: { targetInfo: Target }) => this.#targets.set(targetInfo.targetId, targetInfo);
    this.#connection.on('Target.targetCreated', note);
    this.#connection.on('Target.targetInfoChanged', note);
    this.#connection.on('Inspector.targetCrashed', (_, sessionId) =>
      this.#tabs.find(({ session }) => session.id === sessionId)?.noteCrash(),
    );
    this.#connection.on('Target.targetDestroyed', ({ targetId }) => {
      const type = this.#targets.get(targetId)?.type ?? '';
      this.#targets.delete(targetId);
      const worker = type === 'service_worker' ? 'service worker' : ENGINE_TYPES.includes(type) ? 'engine' : null;
      if (worker) this.deaths.push({ worker, time: performance.now() });
    });
  }

  /**
   * @param pageScript Runs in every page before its own scripts. Default: none.
   * @param gpu Whether the browser has WebGPU. Default: true.
   */
  static async start(pageScript = '', gpu = true): Promise<ChaosBrowser> {
    const functions = await bundleFunctions();
    const profile = mkdtempSync(join(tmpdir(), 'tabserve-chaos-profile-'));
    const flags = ['--headless=new', '--remote-debugging-pipe', `--user-data-dir=${profile}`];
    const process = spawn(
      findBrowser().path,
      [...flags, ...(gpu ? SOFTWARE_GPU_FLAGS : WITHOUT_GPU_FLAGS), 'about:blank'],
      {
        stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
        // A group of its own, which can be ended as a whole.
        detached: true,
      },
    );
    const browser = new ChaosBrowser(process, profile, functions, KEEP_CONSOLE + pageScript);
    globalThis.process.on('exit', browser.#killNow);
    await browser.session.send('Target.setDiscoverTargets', { discover: true, filter: [{}] });
    return browser;
  }

  get ended(): boolean {
    return this.#connection.isClosed;
  }

  /** Exit status or signal of a browser that has ended, and the last that it wrote. */
  get exitReport(): string {
    const { exitCode, signalCode } = this.#process;
    return `status ${exitCode ?? signalCode ?? 'not known yet'}\n${this.#output}`;
  }

  /** The commands of the browser as a whole. */
  get session(): DevToolsSession {
    return new DevToolsSession(this.#connection);
  }

  targets(type: 'page' | 'service_worker'): readonly Target[] {
    return [...this.#targets.values()].filter((target) => target.type === type);
  }

  /** The engine workers that are alive: shared ones, and dedicated ones of a tab. */
  get engines(): readonly Target[] {
    return this.#workers.filter((target) => !isHelper(target));
  }

  /** The workers of pages in which llama.cpp computes. Its threads are workers of theirs. */
  get helpers(): readonly Target[] {
    return this.#workers.filter(isHelper);
  }

  get #workers(): readonly Target[] {
    return [...this.#targets.values()].filter(
      ({ type, url }) => ENGINE_TYPES.includes(type) && !/\/thread\.js/.test(url),
    );
  }

  async openTab(url: string): Promise<Tab> {
    const { targetId } = await this.session.send('Target.createTarget', { url: 'about:blank' });
    const tab = new Tab(this.#tabs.length + 1, targetId, await this.attach(targetId), this.#functions);
    this.#tabs.push(tab);
    await tab.session.send('Inspector.enable');
    // Enabled for its scripts only: what a page says on its console is kept by the page itself.
    await tab.session.send('Page.enable');
    await tab.session.send('Page.addScriptToEvaluateOnNewDocument', { source: this.#pageScript });
    await tab.navigate(url);
    return tab;
  }

  /** When pages were loaded once more because their loads had not begun; times are those of `performance.now()`. */
  get stalls(): readonly number[] {
    return this.#tabs.flatMap(({ stalls }) => stalls);
  }

  /** A session with a page or a shared worker. */
  async attach(targetId: string) {
    const { sessionId } = await this.session.send('Target.attachToTarget', { targetId, flatten: true });
    return new DevToolsSession(this.#connection, sessionId);
  }

  /** Ends an engine worker as an error in its process would. */
  async endEngine(engine: Target): Promise<void> {
    const { targetId, type } = engine;
    if (type === 'shared_worker') await this.session.send('Target.closeTarget', { targetId });
    else await this.withEngine(engine, (session) => session.send('Runtime.evaluate', { expression: 'close()' }));
  }

  /**
   * Calls `use` with a session with an engine worker and detaches it afterwards: a worker under a debugger may live longer.
   * A dedicated worker answers a session of its page only, not one of the browser.
   */
  async withEngine<Result>(
    { targetId, parentId }: Target,
    use: (session: DevToolsSession) => Promise<Result>,
  ): Promise<Result> {
    const root = await this.attach(parentId ?? targetId);
    try {
      return await use(parentId === undefined ? root : await this.#attachToWorker(root, targetId));
    } finally {
      await this.session.send('Target.detachFromTarget', { sessionId: root.id! }).catch(() => {});
    }
  }

  async #attachToWorker(page: DevToolsSession, targetId: string): Promise<DevToolsSession> {
    const attached = new Promise<string>((resolve) => {
      const stop = this.#connection.on('Target.attachedToTarget', ({ sessionId, targetInfo }, pageSession) => {
        if (pageSession !== page.id || targetInfo.targetId !== targetId) return;
        stop();
        resolve(sessionId);
      });
    });
    await page.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
    const sessionId = await withTimeout(ATTACH_TIME, attached, null);
    if (sessionId === null) throw new Error('The engine worker cannot be attached to.');
    return new DevToolsSession(this.#connection, sessionId);
  }

  /** Ends every process of the browser and deletes its profile. */
  async close(): Promise<void> {
    const { exitCode, signalCode } = this.#process;
    if (exitCode === null && signalCode === null) {
      const ended = once(this.#process, 'exit');
      this.session.send('Browser.close').catch(() => {});
      if ((await withTimeout(END_TIME, ended, 'late')) === 'late') this.#kill();
      await ended;
    }
    this.#kill();
    globalThis.process.off('exit', this.#killNow);
    // Its last processes may still be writing there.
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }

  readonly #killNow = () => {
    this.#kill();
    try {
      rmSync(this.#profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    } catch {
      // A folder that stays behind must not keep others from being deleted.
    }
  };

  #kill(): void {
    const { pid } = this.#process;
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // The whole group has ended already.
    }
  }
}

/** Keeps the last errors and warnings of a page's console in `tabserveChaosConsole`, with the seconds since it was loaded. */
const KEEP_CONSOLE = `{
  const kept = (globalThis.tabserveChaosConsole = []);
  for (const level of ['error', 'warn']) {
    const write = console[level].bind(console);
    console[level] = (...words) => {
      kept.push(Math.round(performance.now() / 1000) + ' s: ' + words.map((word) => word?.stack ?? String(word)).join(' '));
      if (kept.length > 20) kept.shift();
      write(...words);
    };
  }
}`;

/** `in-page/ask.ts` as one script that defines `chaos`. */
async function bundleFunctions(): Promise<string> {
  const entry = fileURLToPath(new URL('in-page/ask.ts', import.meta.url));
  const output = (await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: { write: false, target: 'es2023', lib: { entry, formats: ['iife'], name: 'chaos' } },
  })) as Rolldown.RolldownOutput[];
  return output[0]!.output[0].code;
}
