import type { WaitingEvent } from './completion-encoder.ts';

/** Encodes one event (HTML standard, "Server-sent events"). */
export function dataEvent(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** Encodes one event whose name is its `type`. */
export function namedEvent(value: { readonly type: string }): string {
  return `event: ${value.type}\n${dataEvent(value)}`;
}

/**
 * Encodes as comments, such as `: queued 2`, what a stream without output waits for. While nothing changes, the comment
 * is repeated as keep-alive.
 */
export class WaitingComments {
  #text = 'keep-alive';

  /** Returns a comment; empty if it equals the previous one. */
  encode(event: WaitingEvent): string {
    const text = waitingText(event);
    if (text === null || text === this.#text) return '';
    this.#text = text;
    return this.repeat();
  }

  repeat(): string {
    return `: ${this.#text}\n\n`;
  }

  /** Called when output starts. Later keep-alive comments name no state. */
  reset(): void {
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
      // The end of a prefill is followed by output at once.
      if (event.prompt !== undefined) return null;
      return event.tokens === undefined ? 'prefill' : `prefill ${event.tokens} tokens`;
  }
}
