/** An error in the shape of the browser's `QuotaExceededError`, which not every browser has as a class. */
export function quotaExceeded(requested: number, quota: number): DOMException {
  const error = new DOMException('The messages do not fit into the context window of the model.', 'QuotaExceededError');
  return Object.assign(error, { requested, quota });
}
