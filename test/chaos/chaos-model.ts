import type { LocalModel } from '../../src/command-line/local-models.ts';

/** The model of a run. */
export interface ChaosModel {
  readonly id: string;
  /** Tokens that end an answer. */
  readonly endTokens: readonly number[];
  /** Tokens of the longest answer. */
  readonly longest: number;
  /** Maximum tokens of all other answers; those of chats get twice as many. Default: as each question says, and no limit in chats. */
  readonly mostTokens?: number;
  /** In how many tabs a person asks, besides the requests of all tabs. Default: in each. */
  readonly persons?: number;
  /** The GGUF file that the site offers. Default: the model is built in and runs on WebGPU. */
  readonly gguf?: LocalModel;
}

export const POCKET: ChaosModel = { id: 'pocket', endTokens: [0], longest: 120 };

/**
 * SmolLM2 on the CPU, in a browser without WebGPU. It takes about 50 ms per token: long answers would make
 * faults rare, and more persons would always fill its queue.
 */
export function smolLm2(gguf: LocalModel): ChaosModel {
  return { id: gguf.id, endTokens: [0, 2], longest: 40, mostTokens: 12, persons: 1, gguf };
}
