/**
 * The end of all hosts that the Privacy screen's attempts to leak name. No host can have such a name: `.invalid` is
 * reserved (RFC 6761), so no server gets anything even where nothing stops an attempt.
 */
export const LEAK_DOMAIN = 'try-to-leak.invalid';
