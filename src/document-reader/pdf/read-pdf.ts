// The other build needs newer browsers than the chat page.
import { getDocument, PDFWorker, type PDFDocumentLoadingTask } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { withTimeout } from '../../shared/timeout.ts';
import { CMAPS_FOLDER, type DocumentText, type ReadingOptions } from '../../shared/documents/document-reading.ts';
import { UnreadableDocument } from '../unreadable-document.ts';
import { readPages } from './read-pages.ts';

/**
 * Maximum milliseconds for one step, such as opening the file or extracting a page's text. A malicious file could take
 * forever.
 */
const STEP_TIME = 10_000;

/** Milliseconds that the parser has to forget a document. Otherwise it is terminated, which costs a new one. */
const FREEING_TIME = 1000;

/**
 * Returns a CMap loader class for pdf.js. It loads the CMaps of Chinese, Japanese and Korean fonts that a PDF names but
 * does not embed.
 * @param failed Called if a CMap cannot be loaded. pdf.js itself would ignore that, and characters would be missing.
 */
function cmapLoader(failed: () => void) {
  return class {
    async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
      // Text extraction does not need the outlines of standard fonts.
      if (kind !== 'cMapUrl') throw new Error(`${filename} is not part of this site.`);
      const response = await fetch(new URL(CMAPS_FOLDER + filename, location.href)).catch(() => null);
      if (response?.ok === true) return new Uint8Array(await response.arrayBuffer());
      failed();
      throw new Error(`${filename} could not be loaded.`);
    }
  };
}

/**
 * The worker in which pdf.js parses PDFs, so that a step that takes too long can be given up; null if there is none. It
 * is kept, because starting it takes longer than reading a short PDF.
 */
let parser: { readonly worker: Worker; readonly port: PDFWorker } | null = null;

/**
 * Reads a PDF.
 * @throws UnreadableDocument if there is no text for a model.
 */
export async function readPdf(data: ArrayBuffer, options: ReadingOptions): Promise<DocumentText> {
  const { most, marksPages = false, pageTime } = options;
  const { worker, port } = (parser ??= startParser());
  const listening = new AbortController();
  let lacksCmap = false;
  // Only text is extracted: no fonts, images or scripts.
  const task = getDocument({
    data,
    worker: port,
    disableFontFace: true,
    useWasm: false,
    cMapUrl: CMAPS_FOLDER,
    useWorkerFetch: false,
    BinaryDataFactory: cmapLoader(() => (lacksCmap = true)),
    verbosity: 0,
  });
  try {
    const crash = new Promise<never>((_, reject) => {
      const crashed = (event: ErrorEvent): void => {
        // Otherwise the browser would report the error to the page, too.
        event.preventDefault();
        reject(new UnreadableDocument('damaged', event.message));
      };
      worker.addEventListener('error', crashed, { signal: listening.signal });
    });
    const end = performance.now() + pageTime;
    const reading = { most, marksPages, hasTime: () => performance.now() < end, inTime, isFinal: isTooSlow };
    const pages = inTime(task.promise).then((file) => readPages(file, reading));
    const read = await Promise.race([pages, crash]);
    if (lacksCmap) throw new UnreadableDocument('withoutCmap');
    if (read.text === '') throw new UnreadableDocument('onlyPictures');
    // After a page that took too long the parser is still busy with it.
    if (read.isCut) endParser();
    return read;
  } catch (thrown) {
    if (!leavesParserIdle(thrown)) endParser();
    if (thrown instanceof UnreadableDocument) throw thrown;
    if (lacksCmap) throw new UnreadableDocument('withoutCmap', thrown);
    throw new UnreadableDocument(isLocked(thrown) ? 'locked' : 'damaged', thrown);
  } finally {
    listening.abort();
    if (parser !== null && !(await isFreed(task))) endParser();
  }
}

function startParser(): { readonly worker: Worker; readonly port: PDFWorker } {
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module', name: 'pdf' });
  return { worker, port: PDFWorker.create({ port: worker }) };
}

/** Whether the parser has ended what it was told to do: it has read all pages, or there is a password. */
function leavesParserIdle(thrown: unknown): boolean {
  if (thrown instanceof UnreadableDocument)
    return thrown.problem === 'onlyPictures' || thrown.problem === 'withoutCmap';
  return isLocked(thrown);
}

function isLocked(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'PasswordException';
}

/** Whether the parser has forgotten a document soon. */
function isFreed(task: PDFDocumentLoadingTask): Promise<boolean> {
  const freed = task.destroy().then(
    () => true,
    () => false,
  );
  return withTimeout(FREEING_TIME, freed, false);
}

/** Terminates the worker even if it is busy. */
function endParser(): void {
  parser?.worker.terminate();
  parser = null;
}

async function inTime<Value>(step: Promise<Value>): Promise<Value> {
  const result = await withTimeout(STEP_TIME, step, null);
  if (result === null) throw new UnreadableDocument('tooSlow');
  return result;
}

/** Whether the worker is still busy with a step that was given up, so that no further step can follow. */
function isTooSlow(thrown: unknown): boolean {
  return thrown instanceof UnreadableDocument && thrown.problem === 'tooSlow';
}
