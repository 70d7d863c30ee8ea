import {
  DOCUMENT_READER_FOLDER,
  DOCUMENT_WORKER,
  type DocumentRequest,
  type DocumentResponse,
} from '../../../shared/documents/document-reading.ts';
import { engineUnavailable } from '../../../shared/engine/engine-errors.ts';
import { sleep, withAbort, withTimeout } from '../../../shared/timeout.ts';
import { trace } from '../../../shared/trace/trace.ts';
import { runInPage, type PageTask, type PostToPage } from '../../ports/run-in-page.ts';
import { LARGEST_DOCUMENT, unreadable } from './reading-problems.ts';
import { UnreadableFile } from './unreadable-file.ts';

/**
 * Returns the text of a document. Form feeds end the pages of a PDF and the slides of a presentation.
 * @param begins Called, and waited for, before a worker gets the document.
 * @param unwanted When it aborts, the worker ends, and the promise rejects with the reason.
 */
export type ReadDocument = (
  file: Blob,
  name: string,
  site: string,
  begins?: () => Promise<unknown>,
  unwanted?: AbortSignal,
) => Promise<string>;

export interface DocumentReaderOptions {
  /** The pages in the order in which they are asked to run the worker. */
  readonly pages: () => readonly PostToPage[];
  /** Milliseconds before the next attempt to start the worker; more before later ones. Default: 1000. */
  readonly retryDelay?: number;
}

/** Maximum characters of a document's text: about 5,000 pages. */
const MAX_TEXT = 20_000_000;

/** Milliseconds for a whole document, and for the pages of a PDF. A malicious file could take forever. */
const READING_TIME = 600_000;
const PAGE_TIME = 570_000;

/** Milliseconds after which a worker that has nothing to do is ended. */
const IDLE_TIME = 10_000;

/** Longest time between two attempts to start the worker, in milliseconds. */
const LONGEST_DELAY = 30_000;

/** So often a worker may end while it reads one document: pages are closed, but a document may also exhaust memory. */
const MAX_LOSSES = 5;

/** What a worker that did not reply in time is said to have replied. */
const TOO_SLOW: DocumentResponse = { type: 'problem', problem: 'tooSlow' };

type ReaderTask = PageTask<{ readonly type: 'started' }>;

/**
 * Reads documents in a worker that a page starts, because a SharedWorker cannot start workers, and because a malicious
 * document may block or exhaust the worker. If its page goes away meanwhile, another page gets the document.
 */
export class DocumentReader {
  readonly #options: Required<DocumentReaderOptions>;
  /** The worker that has read the last document; null if there is none. */
  #idle: { readonly site: string; readonly task: ReaderTask; readonly timer: ReturnType<typeof setTimeout> } | null =
    null;

  constructor(options: DocumentReaderOptions) {
    this.#options = { retryDelay: 1000, ...options };
  }

  /**
   * @throws UnreadableFile if the document has no text that can be read, or the site has no reader.
   * @throws ApiError `engine_unavailable` if the reader's files cannot be loaded at the moment.
   */
  readonly read: ReadDocument = async (file, name, site, begins, unwanted) => {
    const request: DocumentRequest = {
      file,
      name,
      most: MAX_TEXT,
      largest: LARGEST_DOCUMENT,
      languages: navigator.languages ?? [],
      pageTime: PAGE_TIME,
      marksPages: true,
    };
    for (let losses = 0; losses < MAX_LOSSES; losses += 1) {
      const task = await this.#take(site, unwanted);
      if (losses === 0) await begins?.();
      const response = await respond(task, request, unwanted);
      // A browser may remember that a module was not loaded for as long as the worker lives.
      if (response === null || response === TOO_SLOW || response.type === 'notLoaded') task.end();
      else this.#keep(site, task);
      unwanted?.throwIfAborted();
      if (response !== null) return textOf(response);
      trace('documents', 'a worker has ended while it read', name);
    }
    const sentence = `The worker that read the file ended ${MAX_LOSSES} times. Split the file, or upload its text.`;
    throw new UnreadableFile('invalid_file', sentence);
  };

  /** Returns a worker. Waits as long as no page can start one: the pages may be frozen, or about to be loaded. */
  async #take(site: string, unwanted: AbortSignal | undefined): Promise<ReaderTask> {
    const idle = this.#idle;
    this.#idle = null;
    clearTimeout(idle?.timer);
    if (idle !== null && idle.site === site && !idle.task.lost.aborted) return idle.task;
    idle?.task.end();
    const script = new URL(DOCUMENT_READER_FOLDER + DOCUMENT_WORKER, site).href;
    for (let delay = this.#options.retryDelay; ; delay = Math.min(2 * delay, LONGEST_DELAY)) {
      const failure = { isRefused: false };
      try {
        return await startReader(this.#options.pages(), script, failure);
      } catch (thrown) {
        if (failure.isRefused) throw (await isMissing(script)) ? siteWithoutReader(script) : thrown;
        trace('documents', 'no page starts a reader', String(thrown));
      }
      await sleep(delay, unwanted);
    }
  }

  #keep(site: string, task: ReaderTask): void {
    const timer = setTimeout(() => {
      this.#idle = null;
      task.end();
    }, IDLE_TIME);
    this.#idle = { site, task, timer };
  }
}

/** A sentence that no page shows, so it has no code. */
const said = (text: string) => ({ text, sentences: [] });

/** @param failure Gets to know whether a page has tried to start the worker and the browser refused. */
function startReader(
  pages: readonly PostToPage[],
  script: string,
  failure: { isRefused: boolean },
): Promise<ReaderTask> {
  return runInPage(
    pages,
    { type: 'start-worker', script, name: 'tabserve-document-reader' },
    {
      noPage: said('No open page of this site can read documents.'),
      silent: (seconds) => said(`No page has started the reader of documents within ${seconds} seconds.`),
      failed: (message) => {
        failure.isRefused = true;
        return said(
          `The browser did not start the reader of documents (${script}${message && `: ${message}`}). The site must allow it in the directive worker-src of its Content-Security-Policy.`,
        );
      },
      lost: said('The page that read the document was closed or frozen.'),
    },
  );
}

/** Returns the worker's reply; null if the worker has ended before it replied, or its document is no longer wanted. */
async function respond(
  { port, lost }: ReaderTask,
  request: DocumentRequest,
  unwanted: AbortSignal | undefined,
): Promise<DocumentResponse | null> {
  if (lost.aborted) return null;
  const replied = new Promise<DocumentResponse>((resolve) => {
    port.addEventListener('message', ({ data }: MessageEvent<DocumentResponse>) => resolve(data), { once: true });
  });
  port.postMessage(request);
  const reply = withAbort(withTimeout(READING_TIME, replied, TOO_SLOW), lost);
  return (unwanted ? withAbort(reply, unwanted) : reply).catch(() => null);
}

/** @throws UnreadableFile, ApiError */
function textOf(response: DocumentResponse): string {
  if (response.type === 'problem') throw unreadable(response.problem);
  if (response.type === 'notLoaded')
    throw engineUnavailable(
      'The reader of PDFs could not be loaded. Add the file again with a connection to the site.',
    );
  if (response.type === 'unreadable')
    throw new UnreadableFile('invalid_file', 'The browser could not read the stored file. Upload it again.');
  const { text, isCut } = response.document;
  if (!isCut) return text;
  const sentence =
    'Only the beginning of the file could be read, because it is too long. Split it; plain text in UTF-8 may be longer.';
  throw new UnreadableFile('invalid_file', sentence);
}

/** Whether the site's server says that it has no such script. */
async function isMissing(script: string): Promise<boolean> {
  const response = await fetch(script).catch(() => null);
  return response !== null && (!response.ok || !/javascript/.test(response.headers.get('content-type') ?? ''));
}

function siteWithoutReader(script: string): UnreadableFile {
  const sentence = `Documents of this format are read by ${script}, which this site does not have. Add the folder (\`npx tabserve init\` and the Vite plugin do), or upload the document's text.`;
  return new UnreadableFile('unsupported_file', sentence);
}
