import type { InitProgressReport } from '@mlc-ai/web-llm';
import type { LoadingProgress } from '../../../shared/engine/engine.ts';
import type { TransferReport } from '../../models/download/transfer-progress.ts';
import { loadingStrings as strings } from '../../strings/model-loading.ts';

/** Share of the whole at which the files are there: most of the time if they had to be fetched. */
const AFTER_DOWNLOAD = 0.8;
const AFTER_CHECK = 0.1;
/** Share of the rest at which the weights are on the graphics device. */
const WEIGHTS = 0.75;

/** Turns the progress of download and WebLLM into one share that never falls, and sentences. */
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
    const text =
      this.#ready === AFTER_CHECK || totalBytes === null
        ? strings.lookingForFiles
        : strings.downloading(receivedBytes, totalBytes);
    this.#notify(share * this.#ready, text);
  }

  /** WebLLM reports two phases, each from 0 to 1, and tells them apart by their text only. */
  engine({ progress, text }: InitProgressReport): void {
    const rest = 1 - this.#ready;
    if (text.startsWith('Finish loading')) {
      this.#notify(1, strings.ready);
    } else if (text.startsWith('Loading GPU shader')) {
      const share = this.#ready + rest * (WEIGHTS + progress * (1 - WEIGHTS));
      this.#notify(share, strings.programs(progress));
    } else {
      this.#notify(this.#ready + rest * WEIGHTS * progress, strings.weights(progress));
    }
  }

  #notify(share: number, text: string): void {
    this.#share = Math.max(this.#share, Math.min(1, share));
    this.#report({ progress: this.#share, text });
  }
}
