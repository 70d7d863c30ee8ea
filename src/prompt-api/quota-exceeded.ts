/** Creates an error in the shape of the browser's `QuotaExceededError`, which is not a class in every browser. */
export function quotaExceeded(requested: number, quota: number): DOMException {
  const error = new DOMException('The messages do not fit into the context window of the model.', 'QuotaExceededError');
  return Object.assign(error, { requested, quota });
}
