/**
 * Returns what the fields of a request say about thinking. A no comes before a yes. Null, which leaves it to the model, if
 * they say nothing, `adaptive` or `auto`, and for the effort `minimal`, by which clients ask for as good as none.
 */
export function thinkingOf(...said: readonly (boolean | string | null)[]): boolean | null {
  const words = said.join();
  return /false|none|disabled/.test(words) ? false : /true|enabled|low|medium|high|max/.test(words) || null;
}
