import type { InitProgressReport } from '@mlc-ai/web-llm';
import type { LoadingProgress } from '../../shared/engine.ts';

/** Shares of the whole at which the phases end, roughly as long as they take on a fresh device. */
const DOWNLOADED = 0.8;
const WEIGHTS_READY = 0.95;

/** Turns the progress of download and WebLLM into one share that never falls, and sentences. */
export class LoadingReporter {
  readonly #report: (progress: LoadingProgress) => void;
  #share = 0;

  constructor(report: (progress: LoadingProgress) => void) {
    this.#report = report;
  }

  download(receivedBytes: number, totalBytes: number | null): void {
    if (totalBytes === null || totalBytes === 0) {
      this.#tell(0, 'Reading what the model consists of');
      return;
    }
    const share = receivedBytes / totalBytes;
    this.#tell(
      share * DOWNLOADED,
      share < 1 ? `Downloading the model, ${megabytes(receivedBytes)} of ${megabytes(totalBytes)} MB` : 'The model is on this device',
    );
  }

  /** WebLLM reports two phases, each from 0 to 1, and tells them apart by their text only. */
  engine({ progress, text }: InitProgressReport): void {
    const percent = Math.floor(progress * 100);
    if (text.startsWith('Finish loading')) {
      this.#tell(1, 'The model is ready');
    } else if (text.startsWith('Loading GPU shader')) {
      const share = WEIGHTS_READY + progress * (1 - WEIGHTS_READY);
      this.#tell(share, `Preparing the graphics device's programs, ${percent} %`);
    } else {
      const share = DOWNLOADED + progress * (WEIGHTS_READY - DOWNLOADED);
      this.#tell(share, `Loading the model onto the graphics device, ${percent} %`);
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
