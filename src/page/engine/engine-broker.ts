import { ApiError } from '../../shared/api-error.ts';
import {
  EngineClientIdentity,
  EngineConnection,
  type EngineMessage,
  type EnginePort,
  type EngineSite,
} from '../../shared/messaging/engine-connection.ts';
import { engineUnavailable, gpuCrashed } from '../../shared/engine/engine-errors.ts';
import { modelsForProcessor } from '../../shared/models/site-models.ts';
import { withAbort, withTimeoutAfterThaw } from '../../shared/timeout.ts';
import { hasSimd } from '../../shared/web-assembly-features.ts';
import type { PolicyViolations } from '../../shared/security/policy-violations.ts';
import { findEngineInOtherTab } from './find-engine-in-other-tab.ts';
import type { AskVersion } from '../registration/ask-version.ts';
import { LeaderEngineHost } from './leader-engine-host.ts';
import type { EngineHost } from './engine-host.ts';
import { hasNoAdapter } from './has-no-adapter.ts';
import { knowsGpu, rememberGpu } from './known-gpu.ts';
import type { HubState } from '../status/page-status.ts';
import { loadHubParts } from './load-hub-parts.ts';
import { requireReply } from '../registration/require-reply.ts';
import { scriptFailure } from '../registration/script-failure.ts';
import { SharedEngineHost } from './shared-engine-host.ts';
import { failureStrings } from '../strings/failure-strings.ts';
import { unsupportedStrings } from '../strings/page-status-strings.ts';

/** In a constant, because bundlers would treat `new URL('…', import.meta.url)` as a further asset to copy. */
const HERE = import.meta.url;

/**
 * Milliseconds in which a host must connect this page to an engine. Each of its steps has a shorter limit, except the
 * browser's replies about locks. After this time the page gives the host up, says so, and later asks again.
 */
const JOIN_TIMEOUT = 60_000;

export interface EngineBrokerOptions {
  /** Address of the engine worker. Default: the one beside this script. */
  readonly script: URL | undefined;
  readonly violations: PolicyViolations;
  /** Resolves to the service worker's registration once it exists. */
  readonly serviceWorker: () => Promise<ServiceWorkerRegistration>;
  readonly askVersion: AskVersion;
  /** See `EngineSessionOptions`. */
  readonly hub?: URL | undefined;
  readonly onHub?: ((state: HubState) => void) | undefined;
  /** Called with every message of the engine after the handshake. */
  readonly receive: (message: EngineMessage) => void;
  /**
   * Aborts when the page ends: stops attempts to connect, ends the engine that this page hosts, and releases the page's
   * liveness lock.
   */
  readonly signal: AbortSignal;
}

/** Finds or starts the engine, and creates ports to it for this page and for the service worker. */
export class EngineBroker {
  readonly #options: EngineBrokerOptions;
  #life = new AbortController();
  /** Lasts as long as {@link #life}. */
  #identity: EngineClientIdentity;
  #host: EngineHost | null = null;
  /** The host of the last engine, if it was the hub's. */
  #hub: EngineHost | null = null;
  #scriptFailed = new AbortController();

  constructor(options: EngineBrokerOptions) {
    this.#options = options;
    const { signal } = options;
    this.#identity = this.#identify();
    signal.addEventListener('abort', () => this.#host?.close(signal.reason), { once: true });
  }

  /**
   * Connects this page to the engine, which runs in a SharedWorker, or in a DedicatedWorker if SharedWorkers have no
   * WebGPU. An engine without WebGPU is used if the site has models that need none.
   * @throws ApiError `gpu_unavailable` without a GPU; `gpu_device_lost` instead if this tab, possibly before a reload,
   * has had an engine with a GPU;
   * `model_load_failed` if the site's policy forbids WebAssembly;
   * `engine_unavailable` if no engine can be reached or started, or the service worker does not name the site's models.
   */
  async open(): Promise<EngineConnection> {
    const site = await this.#site();
    const atHub = await this.#joinHub(site);
    if (atHub) return atHub;
    // If this tab has used a GPU before, the browser's GPU process has crashed and will restart. So the page waits for
    // the GPU instead of using the CPU, until it gives up.
    const hasModelsForProcessor = modelsForProcessor(site.siteModels).length > 0;
    const needsNoGpu = hasModelsForProcessor && !knowsGpu() && hasSimd();
    // If the page has no WebGPU, no worker has it either. (A worker may lack it even if the page has it.)
    if (!navigator.gpu && !needsNoGpu) throw noWebGpu(hasModelsForProcessor);
    this.#options.signal.throwIfAborted();
    this.#scriptFailed = new AbortController();
    for (const host of this.#candidates()) {
      this.#host = host;
      const connection = await this.#joinInTime(host, site).catch(async (thrown: unknown) => {
        // Closes this host, so that it releases the lock that the host of the next attempt needs.
        this.#close(host);
        throw thrown instanceof DOMException && thrown.name === 'SecurityError' ? await this.#explain(thrown) : thrown;
      });
      const { fault, gpu, ended } = connection;
      if (fault === null && gpu !== null) {
        rememberGpu();
        return connection;
      }
      // An engine without WebGPU is accepted only if no further host can have it: this is the dedicated worker, which is
      // tried last, or the page itself gets no graphics device.
      if (fault === null && needsNoGpu && (host instanceof LeaderEngineHost || (await hasNoAdapter()))) {
        // Meanwhile the engine, or this page, may have ended.
        ended.throwIfAborted();
        return connection;
      }
      connection.close();
      this.#close(host);
      if (fault !== null) throw fault;
    }
    throw knowsGpu() ? gpuCrashed() : noWebGpu(hasModelsForProcessor);
  }

  /**
   * Joins the engine of the hub. Returns null if the site names none, or the hub does not serve this page: then the site's
   * own engine answers. The hub is asked again when that one has ended.
   */
  async #joinHub(site: EngineSite): Promise<EngineConnection | null> {
    if (!loadHubParts || !this.#options.hub) return null;
    const { hub, onHub, signal } = this.#options;
    const { openHub } = await loadHubParts();
    signal.throwIfAborted();
    const before = this.#hub;
    const { host, connection } = await openHub(hub, before, (joined) => this.#joinInTime(joined, site), onHub);
    if (signal.aborted) host?.close();
    signal.throwIfAborted();
    if (host !== this.#host && (host !== null || this.#host === before)) {
      this.#host?.close();
      this.#host = host;
    }
    this.#hub = host;
    return connection;
  }

  /**
   * Joins the engine of a host.
   * @throws ApiError `engine_unavailable` if that takes longer than {@link JOIN_TIMEOUT}; any error of the host.
   */
  async #joinInTime(host: EngineHost, site: EngineSite): Promise<EngineConnection> {
    const joining = host.join((port) =>
      withAbort(EngineConnection.open(port, this.#identity, site, this.#options.receive), this.#scriptFailed.signal),
    );
    const connection = await withTimeoutAfterThaw(JOIN_TIMEOUT, joining);
    if (connection !== null) return connection;
    // The browser may never grant the lock of this identity, or grant it late.
    this.#identity = this.#identify();
    // The engine may still answer, after this page has asked for another.
    joining.then(
      (late) => late.close(),
      () => {},
    );
    throw engineUnavailable(failureStrings.noEngineInTime(JOIN_TIMEOUT / 1000), 2);
  }

  /** The current host if there is one, then new ones, the preferred kind first. */
  *#candidates(): Generator<EngineHost, undefined> {
    const { script } = this.#options;
    const failed = this.#scriptFailed;
    const onScriptError = async (event: Event) => failed.abort(await this.#explain(event));
    const otherTab = async () => findEngineInOtherTab(await this.#options.serviceWorker());
    const earlier = this.#host;
    this.#host = null;
    if (earlier) yield earlier;
    if ('SharedWorker' in globalThis) yield new SharedEngineHost(script, onScriptError, this.#options.signal);
    yield new LeaderEngineHost(script, otherTab, onScriptError);
  }

  /**
   * Creates the error that says why the engine worker could not start.
   * @param thrown The browser's error, or its error event.
   */
  #explain(thrown: unknown): Promise<ApiError> {
    const { script = new URL('tabserve-engine-worker.js', HERE), violations } = this.#options;
    return scriptFailure({ kind: 'engine worker', script: script.href, thrown, violations });
  }

  #close(host: EngineHost): void {
    host.close();
    if (this.#host === host) this.#host = null;
  }

  /** Replaces the engine that this page was connected to, by the name of its lock. Call it after that engine has died. */
  restart(lockName: string): void {
    this.#host?.restart(lockName);
  }

  /**
   * Creates a port to the engine for another context.
   * @returns null if another tab hosts the engine, or there is none.
   */
  connect(): EnginePort | null {
    return this.#host?.connect() ?? null;
  }

  /** Creates an identity, and gives up the lock of the last one. */
  #identify(): EngineClientIdentity {
    this.#life.abort();
    this.#life = new AbortController();
    return new EngineClientIdentity('page', AbortSignal.any([this.#options.signal, this.#life.signal]));
  }

  async #site(): Promise<EngineSite> {
    const { serviceWorker, askVersion, signal } = this.#options;
    const registration = await withAbort(serviceWorker(), signal);
    const worker = registration.active ?? registration.waiting ?? registration.installing;
    // Without its reply, a site with models for the processor would look like one that needs WebGPU.
    const reply = worker && (await withAbort(requireReply(worker, askVersion), signal));
    return { site: registration.scope, siteModels: reply?.siteModels };
  }
}

/**
 * Creates the error for a browser without WebGPU. Its message tells the user what to do. Its cause, which the console
 * shows, tells the site's author how the site could do without.
 */
function noWebGpu(hasModelsForProcessor: boolean): ApiError {
  const cause = hasModelsForProcessor ? undefined : failureStrings.noLlamaCpp;
  return new ApiError('gpu_unavailable', unsupportedStrings['no-webgpu'], { cause });
}
