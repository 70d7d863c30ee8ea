/**
 * Header of a request whose client wants the headers of a JSON response before the model writes: it reads the status of
 * a failure from the body, and in return each of its disconnects is noticed. The bridge sends it. Any value.
 */
export const EARLY_HEADERS_HEADER = 'x-tabserve-early-headers';
