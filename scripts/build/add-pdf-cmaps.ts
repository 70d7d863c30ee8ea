import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';
import { copyFiles } from './copy-files.ts';

const FOLDER = join(PROJECT_FOLDER, 'node_modules/pdfjs-dist/cmaps');

/**
 * Adds the CMaps of pdf.js, with their licence, and defines `PDF_CMAPS_FOLDER`. A CMap maps the codes of a Chinese,
 * Japanese or Korean font to characters, if a PDF does not embed it. The page loads only the CMaps that a PDF names.
 */
export function addPdfCmaps(): Plugin {
  const files = new Map(readdirSync(FOLDER).map((file) => [file, readFileSync(join(FOLDER, file))]));
  return copyFiles({ name: 'pdf-cmaps', constant: 'PDF_CMAPS_FOLDER', files });
}
