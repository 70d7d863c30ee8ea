import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { PageStatus } from '../../page/index.ts';
import type { AnswerRunner } from '../answers/answer-runner.ts';
import { answersContext, fromContext } from '../common/contexts.ts';
import { parseRoute } from '../common/route.ts';
import { TabserveController } from '../common/tabserve-controller.ts';
import { deviceMemory } from './device-memory.ts';
import { isProcessorFaster, type Device } from './judge-model.ts';
import { isSettled, knownSpeed, measureSpeed, rememberSpeed } from './measuring/device-speed.ts';
import { isMetered } from './measuring/download-time.ts';

/** The running measurement, which all elements of this page share; null for none. */
let running: Promise<unknown> | null = null;

/** Milliseconds without an answer after which the speed is measured again. */
const QUIET = 30_000;

/** How often a page measures a device that is never quiet. */
const MAX_MEASUREMENTS = 6;

let measurements = 0;

/**
 * Provides what is known of this device to an element that judges models. The speed is measured while no answer runs. If
 * an answer starts, the measurement is aborted, and repeated when such an element is next shown. The first measurement
 * often runs beside the start of the engine, so it is repeated when the page is quiet, until two measurements agree.
 */
export class DeviceController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #endpoint: TabserveController;
  readonly #answers: () => AnswerRunner;
  readonly #isNeeded: () => boolean;
  #wasTried = false;
  #quiet: ReturnType<typeof setTimeout> | undefined;

  /**
   * Adds this controller to `host`.
   * @param isNeeded Whether the host shows speeds; otherwise nothing is measured. Default: always.
   */
  constructor(host: ReactiveControllerHost & HTMLElement, isNeeded = () => true) {
    this.#host = host;
    this.#isNeeded = isNeeded;
    this.#endpoint = new TabserveController(host);
    this.#answers = fromContext(host, answersContext);
    host.addController(this);
  }

  get device(): Device {
    const gpu = gpuOf(this.#endpoint.status);
    return { memory: deviceMemory(), gpu, speed: knownSpeed(gpu), isMetered: isMetered() };
  }

  /** True while the speed is being measured for the first time: usually about a second, at most four. */
  get isMeasuring(): boolean {
    return running !== null && this.device.speed === null;
  }

  hostConnected(): void {
    this.#wasTried = false;
  }

  hostDisconnected(): void {
    clearTimeout(this.#quiet);
    this.#quiet = undefined;
  }

  /** Starts before the host renders, so that the host does not show models without their speed first. */
  hostUpdate(): void {
    const gpu = gpuOf(this.#endpoint.status);
    if (gpu === null || !this.#isNeeded()) return;
    if (knownSpeed(gpu) === null) {
      if (this.#wasTried || this.#isAnswering) return;
      this.#wasTried = true;
      this.#measure(gpu);
    } else if (!isSettled() && measurements < MAX_MEASUREMENTS) {
      this.#quiet ??= setTimeout(() => {
        this.#quiet = undefined;
        if (this.#isAnswering || document.hidden) this.#host.requestUpdate();
        else this.#measure(gpu);
      }, QUIET);
    }
  }

  get #isAnswering(): boolean {
    return this.#answers().conversations.length > 0;
  }

  #measure(gpu: string): void {
    running ??= this.#measureOnce(gpu).finally(() => (running = null));
    void running.then(() => this.#host.requestUpdate());
  }

  async #measureOnce(gpu: string): Promise<void> {
    measurements++;
    const answers = this.#answers();
    const begun = new AbortController();
    const stop = () => void (this.#isAnswering && begun.abort());
    answers.addEventListener('change', stop);
    const speed = await measureSpeed({ graphics: !isProcessorFaster(gpu) }, begun.signal);
    answers.removeEventListener('change', stop);
    if (speed !== null) rememberSpeed(gpu, speed, parseRoute(location.hash).view !== 'temporary');
  }
}

/** Name of the GPU; empty if there is none, null until it is known. */
function gpuOf(status: PageStatus): string | null {
  return status.state === 'ready' ? status.gpu : null;
}
