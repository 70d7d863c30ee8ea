import type { ModelEntry } from '../../../shared/models/model-entry.ts';
import type { CacheAbility } from '../../../shared/storage/site-database.ts';
import type { ChatTemplate } from '../prompt/chat-template.ts';
import type { Member, Methods, WebLlmPipeline } from './webllm-pipeline.ts';

/** The results of earlier checks of model libraries, by library and graphics device. */
export interface CheckRecords {
  get(key: string): Promise<CacheAbility | undefined>;
  put(key: string, ability: CacheAbility): Promise<void>;
}

/** The model whose object is extended, and what its extensions use of the world around. */
export interface ExtendedModel {
  readonly entry: ModelEntry;
  readonly template: ChatTemplate;
  /** Tokens that the model knows. */
  readonly vocabularySize: number;
  /** Name of the graphics device; empty if unknown. */
  readonly gpuName: () => Promise<string>;
  readonly checks: CheckRecords;
  /** Bytes that saved conversations may take, beside the last one in the key-value cache. */
  readonly promptMemory: number;
}

/** Each makes the replacement of a method from the method that it wraps. */
export type Layers = {
  readonly [Name in keyof Methods]?: (next: Methods[Name]) => Methods[Name];
};

type Applied<Handle> =
  | { readonly layers?: Layers; readonly handle: Handle }
  /** Why the extension does not suit this model. Then it has changed nothing. */
  | { readonly off: string };

/**
 * A change to the object that WebLLM makes for a loaded model, where WebLLM offers neither an event nor a setting.
 *
 * @typeParam Handle What the adapter uses of it afterwards.
 */
export interface Extension<Name extends string = string, Handle = unknown, Target = WebLlmPipeline> {
  readonly name: Name;
  /** Members of WebLLM's object. If one is missing, the extension is off. */
  readonly needs: readonly Member[];
  /** The methods that it wraps. */
  readonly replaces: readonly (keyof Methods)[];
  /** What it gains: measured with which model on which machine, or which fault it prevents. */
  readonly gain: string;
  /** Extensions without which it is of no use. */
  readonly dependsOn?: readonly string[];
  /**
   * @param handles What the extensions before it have made, by their names.
   * @throws WebAssembly.RuntimeError if the model library traps, after which it is unusable.
   */
  apply(
    target: Target,
    model: ExtendedModel,
    handles: Readonly<Record<string, unknown>>,
  ): Applied<Handle> | Promise<Applied<Handle>>;
}
