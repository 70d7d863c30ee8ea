import type { ModelEntry } from '../../../shared/models/model-entry.ts';
import type { CacheAbility } from '../../../shared/storage/site-database.ts';
import type { ChatTemplate } from '../prompt/chat-template.ts';
import type { Member, Methods, WebLlmPipeline } from './webllm-pipeline.ts';

/** Stores the results of the KV cache checks of model libraries. A key names a library and a GPU. */
export interface CheckRecords {
  get(key: string): Promise<CacheAbility | undefined>;
  put(key: string, ability: CacheAbility): Promise<void>;
}

/** A loaded model, and what extensions may use besides WebLLM's object for it. */
export interface ExtendedModel {
  readonly entry: ModelEntry;
  readonly template: ChatTemplate;
  /** Number of tokens in the model's vocabulary. */
  readonly vocabularySize: number;
  /** Name of the graphics device; empty if unknown. */
  readonly gpuName: () => Promise<string>;
  readonly checks: CheckRecords;
  /** Called before each step of a check of the model library, with the number of the step from 1. */
  readonly onCheckStep: (step: number, steps: number) => void;
  /**
   * Limit in bytes of the memory for the saved KV caches of earlier conversations. The current KV cache does not count.
   */
  readonly promptMemory: number;
  /**
   * Limit of the vocabulary size up to which reading the logits back is faster than sampling on the GPU.
   */
  readonly smallVocabulary: number;
}

/** For each method, a function that takes the method to wrap and returns its replacement. */
export type Layers = {
  readonly [Name in keyof Methods]?: (next: Methods[Name]) => Methods[Name];
};

type Applied<Handle> =
  | { readonly layers?: Layers; readonly handle: Handle }
  /** Why the extension cannot be used for this model. It has then changed nothing. */
  | { readonly off: string };

/**
 * A run-time change to the object that WebLLM makes for a loaded model, where WebLLM offers neither an event nor a
 * setting.
 *
 * @typeParam Handle Type of the object by which Tabserve uses the extension afterwards.
 */
export interface Extension<Name extends string = string, Handle = unknown, Target = WebLlmPipeline> {
  readonly name: Name;
  /** Members of WebLLM's object that the extension needs. If one is missing, the extension is off. */
  readonly needs: readonly Member[];
  /** The methods that the extension wraps. */
  readonly replaces: readonly (keyof Methods)[];
  /** The benefit: what was measured, with which model, on which machine; or which fault it prevents. */
  readonly gain: string;
  /**
   * @param handles The handles of the extensions before this one, by name.
   * @throws WebAssembly.RuntimeError if the model library traps, after which it is unusable.
   */
  apply(
    target: Target,
    model: ExtendedModel,
    handles: Readonly<Record<string, unknown>>,
  ): Applied<Handle> | Promise<Applied<Handle>>;
}
