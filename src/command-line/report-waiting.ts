/** Milliseconds between two reports of the elapsed time. */
const REPORT_INTERVAL = 10_000;

/**
 * Prints what the command waits for to standard error, then the elapsed time every ten seconds.
 * @returns a function that stops the reports.
 */
export function reportWaiting(what: string): () => void {
  console.error(`${what}…`);
  const start = performance.now();
  const timer = setInterval(
    () => console.error(`${what}, ${Math.round((performance.now() - start) / 1000)} s…`),
    REPORT_INTERVAL,
  );
  return () => clearInterval(timer);
}
