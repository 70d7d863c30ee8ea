/** What every response carries, so that pages of other origins can read it where they reach it at all. */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-request-id, retry-after, x-should-retry, openai-processing-ms, x-tabserve-engine',
} as const;
