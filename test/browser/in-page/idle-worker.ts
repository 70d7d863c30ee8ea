/** A dedicated worker that does nothing by itself: tests make requests from inside it. */
export const idle = true;
