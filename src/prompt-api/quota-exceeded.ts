type QuotaExceededErrorConstructor = new (
  message: string,
  amounts: { readonly requested?: number; readonly quota?: number },
) => DOMException;

/**
 * Creates the browser's `QuotaExceededError`; a DOMException of that name and shape in browsers without the class.
 * @param requested Tokens that are needed. Infinity, for more than can be counted, is left out: the class refuses it.
 */
export function quotaExceeded(message: string, requested?: number, quota?: number): DOMException {
  const counted = requested !== undefined && Number.isFinite(requested);
  const amounts = { ...(counted && { requested }), ...(quota !== undefined && { quota }) };
  const { QuotaExceededError } = globalThis as { QuotaExceededError?: QuotaExceededErrorConstructor };
  if (QuotaExceededError !== undefined) return new QuotaExceededError(message, amounts);
  return Object.assign(new DOMException(message, 'QuotaExceededError'), { requested: null, quota: null, ...amounts });
}

export function isQuotaExceeded(thrown: unknown): thrown is Error {
  return thrown instanceof Error && thrown.name === 'QuotaExceededError';
}

/** Creates the error for messages that need more tokens than the context window has. */
export function windowExceeded(requested: number, contextWindow: number): DOMException {
  return quotaExceeded('The messages do not fit into the context window of the model.', requested, contextWindow);
}
