import type { ModelEntry } from '../models/model-entry.ts';
import type { AnswerTimes } from './time-chunks.ts';

/** The facts about a model that WebLLM needs to load it from its caches. */
export type DirectModel = Pick<ModelEntry, 'id' | 'modelUrl' | 'libraryUrl' | 'contextWindow' | 'images'>;

/** A message to the worker that runs WebLLM without the endpoint. Each comes with a port for its replies. */
export type DirectCall =
  | { readonly type: 'load'; readonly model: DirectModel }
  /**
   * `request` has the fields of WebLLM's chat completions. With `reset`, WebLLM first forgets its last conversation.
   */
  | { readonly type: 'answer'; readonly request: Readonly<Record<string, unknown>>; readonly reset: boolean }
  /** Ends the answer that is being generated. */
  | { readonly type: 'stop' };

/**
 * A reply of the worker that runs WebLLM. `begun` is sent with the first piece of an answer; the replies to a load and
 * a stop have the value null.
 */
export type DirectReply =
  | { readonly begun: true }
  | { readonly value: AnswerTimes | null }
  | { readonly error: string };
