import type { WaitingEvent } from './completion-encoder.ts';

/** What a request waits for, in a word or two for people who watch the stream. */
export function waitingComment(event: WaitingEvent): string {
  switch (event.type) {
    case 'queued':
      return `queued ${event.position}`;
    case 'loading':
      return `loading ${Math.floor(event.progress * 100)} %`;
    case 'prefill':
      return 'prefill';
  }
}
