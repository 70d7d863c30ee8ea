// The other build needs newer browsers than the chat page.
import { getDocument, GlobalWorkerOptions } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { withTimeout } from '../../shared/timeout.ts';
import { CMAPS_FOLDER, type DocumentText, type ReadingOptions } from '../../shared/documents/document-reading.ts';
import { UnreadableDocument } from '../unreadable-document.ts';
import { readPages } from './read-pages.ts';

/**
 * Maximum milliseconds for one step, such as opening the file or extracting a page's text. A malicious file could take
 * forever.
 */
const STEP_TIME = 10_000;

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
 * Reads a PDF. pdf.js parses it in a worker of its own, so that a step that takes too long can be given up.
 * @throws UnreadableDocument if there is no text for a model.
 */
export async function readPdf(data: ArrayBuffer, options: ReadingOptions): Promise<DocumentText> {
  const { most, marksPages = false, pageTime } = options;
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module', name: 'pdf' });
  GlobalWorkerOptions.workerPort = worker;
  let lacksCmap = false;
  try {
    // Only text is extracted: no fonts, images or scripts.
    const { promise } = getDocument({
      data,
      disableFontFace: true,
      useWasm: false,
      cMapUrl: CMAPS_FOLDER,
      useWorkerFetch: false,
      BinaryDataFactory: cmapLoader(() => (lacksCmap = true)),
      verbosity: 0,
    });
    const crash = new Promise<never>((_, reject) => {
      worker.addEventListener('error', (event) => {
        // Otherwise the browser would report the error to the page, too.
        event.preventDefault();
        reject(new UnreadableDocument('damaged', event.message));
      });
    });
    const end = performance.now() + pageTime;
    const reading = { most, marksPages, hasTime: () => performance.now() < end, inTime, isFinal: isTooSlow };
    const pages = inTime(promise).then((file) => readPages(file, reading));
    const read = await Promise.race([pages, crash]);
    if (lacksCmap) throw new UnreadableDocument('withoutCmap');
    if (read.text === '') throw new UnreadableDocument('onlyPictures');
    return read;
  } catch (thrown) {
    if (thrown instanceof UnreadableDocument) throw thrown;
    if (lacksCmap) throw new UnreadableDocument('withoutCmap', thrown);
    const isLocked = thrown instanceof Error && thrown.name === 'PasswordException';
    throw new UnreadableDocument(isLocked ? 'locked' : 'damaged', thrown);
  } finally {
    // Terminates the worker even if it is busy.
    worker.terminate();
    GlobalWorkerOptions.workerPort = null;
  }
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
