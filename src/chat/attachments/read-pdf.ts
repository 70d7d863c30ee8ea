// The other build needs newer browsers than the chat page.
import { getDocument, GlobalWorkerOptions } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { withAbort, withTimeout } from '../../shared/timeout.ts';
import { attachmentStrings } from '../strings/attachment-strings.ts';
import type { DocumentText } from './readers/document.ts';
import { readPages } from './readers/pdf/read-pages.ts';

/**
 * Maximum milliseconds for one step, such as opening the file or extracting a page's text. A malicious file could take
 * forever.
 */
const STEP_TIME = 10_000;

/** Milliseconds after which no further page is read. */
const READING_TIME = 60_000;

/** Folder of the CMaps, relative to the site's root. */
declare const PDF_CMAPS_FOLDER: string;

/** Thrown if a CMap could not be loaded: without it, characters of East Asian fonts would be missing in the text. */
class CMapFailure extends Error {}

/**
 * Returns a CMap loader class for pdf.js. It loads the CMaps of Chinese, Japanese and Korean fonts that a PDF names but
 * does not embed.
 * @param failed Called if a CMap cannot be loaded. pdf.js itself would ignore that.
 */
function cmapLoader(failed: (failure: CMapFailure) => void) {
  return class {
    async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
      // Text extraction does not need the outlines of standard fonts.
      if (kind !== 'cMapUrl') throw new Error(`${filename} is not part of this site.`);
      const response = await fetch(new URL(PDF_CMAPS_FOLDER + filename, document.baseURI)).catch(() => null);
      if (response?.ok === true) return new Uint8Array(await response.arrayBuffer());
      const failure = new CMapFailure(filename);
      failed(failure);
      throw failure;
    }
  };
}

/** Thrown if a step takes too long. The worker is still busy with the step and cannot be used again. */
class StepTooLong extends Error {}

/**
 * Reads a PDF in a worker of its own. An empty line separates pages.
 * @param most Number of characters after which no further page is read.
 * @throws Error that tells the user why there is no text.
 * @throws the signal's reason if it aborts before the text is extracted.
 */
export async function readPdf(data: ArrayBuffer, most: number, signal: AbortSignal): Promise<DocumentText> {
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module', name: 'pdf' });
  GlobalWorkerOptions.workerPort = worker;
  let failure: CMapFailure | null = null;
  try {
    // Only text is extracted: no fonts, images or scripts.
    const { promise } = getDocument({
      data,
      disableFontFace: true,
      useWasm: false,
      cMapUrl: PDF_CMAPS_FOLDER,
      useWorkerFetch: false,
      BinaryDataFactory: cmapLoader((thrown) => (failure = thrown)),
      verbosity: 0,
    });
    const crash = new Promise<never>((_, reject) => worker.addEventListener('error', reject));
    const end = performance.now() + READING_TIME;
    const reading = {
      most,
      hasTime: () => performance.now() < end,
      inTime,
      isFinal: (thrown: unknown) => thrown instanceof StepTooLong,
    };
    const pages = inTime(promise).then((file) => readPages(file, reading));
    const read = await withAbort(Promise.race([pages, crash]), signal);
    if (failure !== null) throw failure as CMapFailure;
    if (read.text !== '') return read;
  } catch (thrown) {
    signal.throwIfAborted();
    throw new Error(problemOf(thrown), { cause: thrown });
  } finally {
    // Terminates the worker even if it is busy.
    worker.terminate();
    GlobalWorkerOptions.workerPort = null;
  }
  throw new Error(attachmentStrings.pdfWithoutText);
}

async function inTime<Value>(step: Promise<Value>): Promise<Value> {
  const result = await withTimeout(STEP_TIME, step, null);
  if (result === null) throw new StepTooLong();
  return result;
}

function problemOf(thrown: unknown): string {
  if (thrown instanceof CMapFailure) return attachmentStrings.pdfWithoutCmap;
  if (thrown instanceof StepTooLong) return attachmentStrings.pdfTooSlow;
  const isLocked = thrown instanceof Error && thrown.name === 'PasswordException';
  return isLocked ? attachmentStrings.pdfLocked : attachmentStrings.pdfBroken;
}
