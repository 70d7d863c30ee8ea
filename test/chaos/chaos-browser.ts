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
import { OBSERVE_PAGE } from './observe-page.ts';
import { Tab } from './tabs/tab.ts';

export interface WorkerDeath {
  readonly worker: 'service worker' | 'engine';
  /** Milliseconds of `performance.now()`. */
  readonly time: number;
}

/** Types of the targets in which engines run, or in which llama.cpp computes for them. */
const ENGINE_TYPES: readonly string[] = ['shared_worker', 'worker'];

/** The flags for a browser without WebGPU, in place of {@link SOFTWARE_GPU_FLAGS}. */
const WITHOUT_GPU_FLAGS = [...SOFTWARE_GPU_FLAGS.filter((flag) => !flag.includes('webgpu')), '--disable-gpu'];

/** Milliseconds for the browser to attach to a worker. */
const ATTACH_TIME = 5000;

/** Milliseconds for the browser to end before it is killed. */
const END_TIME = 5000;

/** Maximum characters of the browser's output that are kept. */
const KEPT_OUTPUT = 3000;

export interface ChaosBrowserOptions {
  /** Runs in every page before its own scripts. Default: none. */
  readonly pageScript?: string;
  /** Whether the browser has WebGPU. Default: true. */
  readonly gpu?: boolean;
  /** The folder that {@link ChaosBrowser.kill} returned. Default: a fresh one. */
  readonly profile?: string | undefined;
  /** Further flags of the browser. Default: none. */
  readonly flags?: readonly string[];
}

/** A browser process with a profile of its own. DevTools is attached only to its pages. */
export class ChaosBrowser {
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #functions: string;
  readonly #pageScript: string;
  readonly #targets = new Map<string, Target>();
  readonly #connection: DevToolsConnection;
  readonly #tabs: Tab[] = [];
  #output = '';
  /** Every worker that ended, for whatever reason. */
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

  static async start(options: ChaosBrowserOptions = {}): Promise<ChaosBrowser> {
    const { pageScript = '', gpu = true, profile = freshProfile(), flags: further = [] } = options;
    const functions = await bundleFunctions();
    const flags = ['--headless=new', '--remote-debugging-pipe', `--user-data-dir=${profile}`, ...further];
    const process = spawn(
      findBrowser().path,
      [...flags, ...(gpu ? SOFTWARE_GPU_FLAGS : WITHOUT_GPU_FLAGS), 'about:blank'],
      {
        stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
        // Its own process group, which can be killed as a whole.
        detached: true,
      },
    );
    const browser = new ChaosBrowser(process, profile, functions, OBSERVE_PAGE + pageScript);
    globalThis.process.on('exit', browser.#killNow);
    await browser.session.send('Target.setDiscoverTargets', { discover: true, filter: [{}] });
    return browser;
  }

  /** Id of the browser's first process, and of the session of all its processes. */
  get pid(): number {
    return this.#process.pid ?? 0;
  }

  get ended(): boolean {
    return this.#connection.isClosed;
  }

  /** Exit status or signal of a browser that has ended, and the end of its output. */
  get exitReport(): string {
    const { exitCode, signalCode } = this.#process;
    return `status ${exitCode ?? signalCode ?? 'not known yet'}\n${this.#output}`;
  }

  /** A session with the browser itself. */
  get session(): DevToolsSession {
    return new DevToolsSession(this.#connection);
  }

  targets(type: 'page' | 'service_worker'): readonly Target[] {
    return [...this.#targets.values()].filter((target) => target.type === type);
  }

  /** The running shared and dedicated workers. */
  get workers(): readonly Target[] {
    return [...this.#targets.values()].filter(({ type }) => ENGINE_TYPES.includes(type));
  }

  async openTab(url: string): Promise<Tab> {
    const { targetId } = await this.session.send('Target.createTarget', { url: 'about:blank' });
    const tab = new Tab(this.#tabs.length + 1, targetId, await this.attach(targetId), this.#functions);
    this.#tabs.push(tab);
    try {
      await tab.session.send('Inspector.enable');
      // `Page.enable` is needed for the script only. The page itself records its console.
      await tab.session.send('Page.enable');
      await tab.session.send('Page.addScriptToEvaluateOnNewDocument', { source: this.#pageScript });
      await tab.navigate(url);
      return tab;
    } catch (thrown) {
      await this.session.send('Target.closeTarget', { targetId }).catch(() => {});
      throw thrown;
    }
  }

  /** Times, by `performance.now()`, at which a page was loaded again because its load had not begun. */
  get stalls(): readonly number[] {
    return this.#tabs.flatMap(({ stalls }) => stalls);
  }

  /** Opens a session with a page or a shared worker. */
  async attach(targetId: string) {
    const { sessionId } = await this.session.send('Target.attachToTarget', { targetId, flatten: true });
    return new DevToolsSession(this.#connection, sessionId);
  }

  /** Ends an engine worker as if its process had failed. */
  async endEngine(engine: Target): Promise<void> {
    const { targetId, type } = engine;
    if (type === 'shared_worker') await this.session.send('Target.closeTarget', { targetId });
    else await this.withEngine(engine, (session) => session.send('Runtime.evaluate', { expression: 'close()' }));
  }

  /**
   * Calls `use` with a session of an engine worker, and detaches it afterwards, because a worker with a debugger may
   * live longer. A dedicated worker is reached through its page's session.
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
    // The browser's last processes may still be writing there.
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }

  /**
   * Ends every process of the browser at once, as a power cut does.
   * @returns the profile, with what had reached the disk.
   */
  async kill(): Promise<string> {
    const ended = once(this.#process, 'exit');
    this.#kill();
    await ended;
    globalThis.process.off('exit', this.#killNow);
    return this.#profile;
  }

  readonly #killNow = () => {
    this.#kill();
    try {
      rmSync(this.#profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    } catch {
      // If a folder cannot be deleted, the others are still deleted.
    }
  };

  #kill(): void {
    const { pid } = this.#process;
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // The process group has already ended.
    }
  }
}

function freshProfile(): string {
  return mkdtempSync(join(tmpdir(), 'tabserve-chaos-profile-'));
}

/** Bundles `in-page/ask.ts` as a script that defines `chaos`. */
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
