import type { WaitingEvent } from './completion-encoder.ts';

/** One event as the standard writes it (HTML, "Server-sent events"). */
export function dataEvent(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** Comments for people who watch a stream in which there is nothing to tell yet, and signs of life for those between. */
export class WaitingComments {
  #text = 'keep-alive';

  /** What is waited for, in a word or two; empty when that is no news. */
  tell(event: WaitingEvent): string {
    const text = waitingText(event);
    if (text === null || text === this.#text) return '';
    this.#text = text;
    return this.repeat();
  }

  /** The last comment again. */
  repeat(): string {
    return `: ${this.#text}\n\n`;
  }

  /** There is output: nothing in particular is waited for any more. */
  end(): void {
    this.#text = 'keep-alive';
  }
}

function waitingText(event: WaitingEvent): string | null {
  switch (event.type) {
    case 'begun':
      return null;
    case 'queued':
      return `queued ${event.position}`;
    case 'loading':
      return `loading ${Math.floor(event.progress * 100)} %`;
    case 'prefill':
      return 'prefill';
  }
}
