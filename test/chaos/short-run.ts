/**
 * A run of a minute or so, to see at once whether a change broke something. A fault is left out only for a failure of
 * the product that is known, and comes back with its repair.
 */
export const SHORT_RUN = {
  seed: 1,
  faults: 25,
  without: [
    // While the browser withholds adapters, clients are told not to come again.
    'GPU process crashed',
  ] as readonly string[],
};
