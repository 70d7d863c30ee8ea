/**
 * How a page gets an answer: by one request; asking for it until it has ended; asking for what the site has stored, too;
 * by the Prompt API; or, with the person's permission, from an upstream.
 */
export type Manner = 'once' | 'polling' | 'reading back' | 'Prompt API' | 'upstream';
