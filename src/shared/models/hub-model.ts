import type { ModelEntry } from './model-entry.ts';

/** What a site's service worker has to know of a hub's model to check requests. */
export type HubModel = Pick<
  ModelEntry,
  | 'id'
  | 'created'
  | 'ownedBy'
  | 'contextWindow'
  | 'vocabularySize'
  | 'defaultTemperature'
  | 'defaultTopP'
  | 'images'
  | 'thinking'
  | 'embedding'
  | 'format'
>;
