import { withTimeout } from '../../shared/timeout.ts';
import type { HighlightRequest, HighlightResult } from './highlight-worker.ts';
import { markHidden } from './mark-hidden.ts';

/** Limit of characters. Longer blocks stay plain: their many `span` elements alone would block the page. */
const MAX_CHARACTERS = 50_000;

/**
 * Maximum milliseconds for one block, including the start of the worker. A line such as `a1_` × 10,000 takes seconds.
 */
const TIME_LIMIT = 3000;

/** Idle milliseconds before the worker is terminated. */
const IDLE_TIME = 10_000;

let worker: Worker | undefined;
let idleTimer: ReturnType<typeof setTimeout> | undefined;
let lastJob: Promise<void> = Promise.resolve();

/**
 * Highlights the finished code blocks below `root` one by one in a worker, because some texts take minutes. A block
 * stays plain if its language is unknown, if it exceeds a limit, or if the worker fails to load.
 */
export function highlightCode(root: ParentNode): void {
  for (const figure of root.querySelectorAll<HTMLElement>('figure.code:not([data-language=""])')) {
    const code = figure.querySelector('code');
    if (code === null || code.textContent.length > MAX_CHARACTERS) continue;
    lastJob = colourAfter(lastJob, code, figure.dataset['language'] ?? '');
  }
}

async function colourAfter(earlier: Promise<void>, code: HTMLElement, language: string): Promise<void> {
  await earlier;
  // The block is no longer on the page: the user has left the chat, or it was rendered again.
  if (!code.isConnected) return;
  const html = await highlight({ code: code.textContent, language });
  if (html === null) return;
  code.innerHTML = html;
  markHidden(code);
}

async function highlight(request: HighlightRequest): Promise<HighlightResult> {
  clearTimeout(idleTimer);
  worker ??= new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module', name: 'highlight' });
  const result = await withTimeout(TIME_LIMIT, ask(worker, request), undefined);
  if (result === undefined) endWorker();
  else idleTimer = setTimeout(endWorker, IDLE_TIME);
  return result ?? null;
}

function endWorker(): void {
  worker?.terminate();
  worker = undefined;
}

/** Resolves to undefined if the worker fails. */
function ask(asked: Worker, request: HighlightRequest): Promise<HighlightResult | undefined> {
  return new Promise((resolve) => {
    const settled = new AbortController();
    const settle = (result: HighlightResult | undefined) => {
      settled.abort();
      resolve(result);
    };
    const { signal } = settled;
    asked.addEventListener('message', ({ data }: MessageEvent<HighlightResult>) => settle(data), { signal });
    asked.addEventListener('error', () => settle(undefined), { signal });
    asked.postMessage(request);
  });
}
