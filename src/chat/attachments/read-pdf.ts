// The other build needs newer browsers than the chat page.
import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { withAbort, withTimeout } from '../../shared/timeout.ts';
import { attachmentStrings } from '../strings/attachment-strings.ts';

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
 * Extracts the text of a PDF in a worker of its own. An empty line separates pages.
 * @param most Number of characters after which no further page is read.
 * @throws Error that tells the user why there is no text.
 * @throws the signal's reason if it aborts before the text is extracted.
 */
export async function readPdf(data: ArrayBuffer, most: number, signal: AbortSignal): Promise<string> {
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
    const text = await withAbort(Promise.race([readPages(promise, most), crash]), signal);
    if (failure !== null) throw failure as CMapFailure;
    if (text !== '') return text;
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

async function readPages(opening: Promise<PDFDocumentProxy>, most: number): Promise<string> {
  const file = await inTime(opening);
  const end = performance.now() + READING_TIME;
  let text = '';
  let problem: unknown = null;
  for (let number = 1; number <= file.numPages && text.length < most && performance.now() < end; number++) {
    try {
      const page = await inTime(file.getPage(number));
      const { items } = await inTime(page.getTextContent());
      text += `${items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')}\n\n`;
      page.cleanup();
    } catch (thrown) {
      problem = thrown;
      if (thrown instanceof StepTooLong) break;
    }
  }
  text = text.slice(0, most).trim();
  // If a page is broken, the text of the other pages is returned.
  if (text === '' && problem !== null) throw problem;
  return text;
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
