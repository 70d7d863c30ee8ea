import type { ModelEntry } from './model-entry.ts';

/**
 * Whether a model only continues texts, because the GGUF file has no chat template. Its publisher did not train it to
 * chat. False if nothing is known about the file.
 */
export function continuesText({ chatTemplate, gguf }: Pick<ModelEntry, 'chatTemplate' | 'gguf'>): boolean {
  return chatTemplate === false || (gguf !== undefined && !gguf.hasChatTemplate && gguf.embedding === undefined);
}
