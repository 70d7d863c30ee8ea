/** Headers of every response, so that pages of other origins can read it. */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'x-request-id, request-id, retry-after, x-should-retry, openai-processing-ms, x-tabserve-engine',
} as const;
