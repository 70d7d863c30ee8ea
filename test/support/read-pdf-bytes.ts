import type { DocumentText } from '../../src/shared/documents/document-reading.ts';
import { readPages } from '../../src/document-reader/pdf/read-pages.ts';

/** Reads a PDF as the page does, but with pdf.js in the same thread, which Node has no other way to run. */
export async function readPdfBytes(data: Uint8Array, marksPages = false): Promise<DocumentText> {
  // pdf.js uses functions that Node 20 lacks.
  Promise.withResolvers ??= withResolvers;
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const loading = getDocument({ data, disableFontFace: true, useWasm: false, useWorkerFetch: false, verbosity: 0 });
  try {
    return await readPages(await loading.promise, {
      most: 4_000_000,
      marksPages,
      hasTime: () => true,
      inTime: (step) => step,
      isFinal: () => false,
    });
  } finally {
    await loading.destroy();
  }
}

function withResolvers<Value>(): PromiseWithResolvers<Value> {
  const result = {} as PromiseWithResolvers<Value>;
  result.promise = new Promise((resolve, reject) => Object.assign(result, { resolve, reject }));
  return result;
}
