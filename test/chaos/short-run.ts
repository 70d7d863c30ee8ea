/**
 * A run of a minute or so, to see at once whether a change broke something. A fault is left out only for a failure of
 * the product that is known, and comes back with its repair.
 */
export const SHORT_RUN = {
  seed: 1,
  faults: 25,
  without: [
    // A stopped tab that waits for a dead engine's lock is taken for a living engine.
    'tab frozen',
    'tab in the debugger',
    'tab in an alert',
    // While the browser withholds adapters, clients are told not to come again.
    'GPU process crashed',
  ] as readonly string[],
};
