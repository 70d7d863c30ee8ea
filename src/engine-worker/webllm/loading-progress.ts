import type { InitProgressReport } from '@mlc-ai/web-llm';
import type { LoadingProgress } from '../../shared/engine.ts';
import type { TransferReport } from '../models/transfer-progress.ts';

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
        ? 'Looking for the files of the model'
        : `Downloading the model, ${megabytes(receivedBytes)} of ${megabytes(totalBytes)} MB`;
    this.#tell(share * this.#ready, text);
  }

  /** WebLLM reports two phases, each from 0 to 1, and tells them apart by their text only. */
  engine({ progress, text }: InitProgressReport): void {
    const percent = Math.floor(progress * 100);
    const rest = 1 - this.#ready;
    if (text.startsWith('Finish loading')) {
      this.#tell(1, 'The model is ready');
    } else if (text.startsWith('Loading GPU shader')) {
      const share = this.#ready + rest * (WEIGHTS + progress * (1 - WEIGHTS));
      this.#tell(share, `Preparing the graphics device's programs, ${percent} %`);
    } else {
      this.#tell(this.#ready + rest * WEIGHTS * progress, `Loading the model onto the graphics device, ${percent} %`);
    }
  }

  #tell(share: number, text: string): void {
    this.#share = Math.max(this.#share, Math.min(1, share));
    this.#report({ progress: this.#share, text });
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toLocaleString('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}
