import type { ModelEntry } from './model-entry.ts';

/** What a model does. One model of each kind can be loaded. */
export type ModelKind = 'chat' | 'embedding';

export function modelKind({ embedding }: Pick<ModelEntry, 'embedding'>): ModelKind {
  return embedding === undefined ? 'chat' : 'embedding';
}
