/** A dedicated worker that does nothing unless a test makes a request from it. */
export const idle = true;
