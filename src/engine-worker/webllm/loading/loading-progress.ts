import type { InitProgressReport } from '@mlc-ai/web-llm';
import type { CodedText } from '../../../shared/coded-sentence.ts';
import type { LoadingProgress } from '../../../shared/engine/engine.ts';
import type { TransferReport } from '../../models/download/transfer-progress.ts';
import { say } from '../../strings/say.ts';

/** Progress (0 to 1) of the whole load when all files are available, if any had to be downloaded. */
const AFTER_DOWNLOAD = 0.8;
/**
 * Progress (0 to 1) of the whole load when all files are available, if all were in the cache and only had to be
 * checked.
 */
const AFTER_CHECK = 0.1;
/** Progress (0 to 1) of WebLLM's own loading, after the files are available, when the weights are on the device. */
const WEIGHTS = 0.75;

/** Progress (0 to 1) of the whole load when WebLLM has loaded the model. Checks of the model library may follow. */
const LOADED = 0.98;

/** Combines the progress of the download and of WebLLM into one number that never decreases, with a text for users. */
export class LoadingReporter {
  readonly #report: (progress: LoadingProgress) => void;
  #share = 0;
  #ready = AFTER_CHECK;

  constructor(report: (progress: LoadingProgress) => void) {
    this.#report = report;
  }

  download({ receivedBytes, totalBytes, files }: TransferReport): void {
    if (files.some(({ state }) => state === 'downloading' || state === 'retrying')) this.#ready = AFTER_DOWNLOAD;
    const share = totalBytes === null || totalBytes === 0 ? 0 : receivedBytes / totalBytes;
    const words =
      this.#ready === AFTER_CHECK || totalBytes === null
        ? say('lookingForFiles')
        : say('downloadingModel', receivedBytes, totalBytes);
    this.#notify(share * this.#ready, words);
  }

  /**
   * Handles WebLLM's progress. Its two phases (weights and shaders) each run from 0 to 1 and differ only in the text.
   */
  engine({ progress, text }: InitProgressReport): void {
    const rest = 1 - this.#ready;
    if (text.startsWith('Finish loading')) {
      this.#notify(LOADED, say('preparingShaders', 1));
    } else if (text.startsWith('Loading GPU shader')) {
      const share = Math.min(LOADED, this.#ready + rest * (WEIGHTS + progress * (1 - WEIGHTS)));
      this.#notify(share, say('preparingShaders', progress));
    } else {
      this.#notify(this.#ready + rest * WEIGHTS * progress, say('loadingWeights', progress));
    }
  }

  /** Reports the start of a step of the check of the model library. */
  checking(step: number, steps: number): void {
    this.#notify(LOADED, say('checkingPromptCache', step, steps));
  }

  ready(): void {
    this.#notify(1, say('modelReady'));
  }

  #notify(share: number, words: CodedText): void {
    this.#share = Math.max(this.#share, Math.min(1, share));
    this.#report({ progress: this.#share, ...words });
  }
}
