import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { PageStatus } from '../../page/index.ts';
import type { AnswerRunner } from '../answers/answer-runner.ts';
import { answersContext, fromContext } from '../common/contexts.ts';
import { parseRoute } from '../common/route.ts';
import { TabserveController } from '../common/tabserve-controller.ts';
import { isProcessorFaster } from './suggest-models.ts';
import { knownSpeed, measureSpeed, rememberSpeed } from './measuring/device-speed.ts';
import type { DeviceSpeed } from './measuring/speed-worker.ts';

/** The running measurement, which all elements of this page share; null for none. */
let running: Promise<unknown> | null = null;

/**
 * Provides the speed of this device to an element that shows how fast models would be. The speed is measured once per
 * GPU, while no answer runs. If an answer starts, the measurement is aborted, and repeated when such an element is next
 * shown.
 */
export class DeviceSpeedController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #endpoint: TabserveController;
  readonly #answers: () => AnswerRunner;
  readonly #isNeeded: () => boolean;
  #wasTried = false;

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

  /** Null until it is known. */
  get speed(): DeviceSpeed | null {
    return knownSpeed(gpuOf(this.#endpoint.status));
  }

  /** True while the speed is being measured: usually about a second, at most four. */
  get isMeasuring(): boolean {
    return running !== null;
  }

  hostConnected(): void {
    this.#wasTried = false;
  }

  /** Starts before the host renders, so that the host does not show models without their speed first. */
  hostUpdate(): void {
    const gpu = gpuOf(this.#endpoint.status);
    if (gpu === null || this.#wasTried || !this.#isNeeded() || this.speed !== null || this.#isAnswering) return;
    this.#wasTried = true;
    running ??= this.#measure(gpu).finally(() => (running = null));
    void running.then(() => this.#host.requestUpdate());
  }

  get #isAnswering(): boolean {
    return this.#answers().conversations.length > 0;
  }

  async #measure(gpu: string): Promise<void> {
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
