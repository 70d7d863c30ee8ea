/** A failure that the user can fix. Only its message is printed: one sentence that says what to do. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure' as const;
}

/**
 * Runs a command and exits with its status. A {@link CommandFailure} prints its message and exits with 1; any other
 * error prints its stack. SIGHUP, SIGINT and SIGTERM abort `signal`; the exit status is then the shell's for that
 * signal.
 */
export async function runCommand(command: (signal: AbortSignal) => Promise<number | void>): Promise<never> {
  const interruption = new AbortController();
  let signalStatus = 0;
  for (const [name, number] of [
    ['SIGHUP', 1],
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ] as const) {
    process.on(name, () => {
      // A second signal skips the cleanup.
      if (signalStatus) process.exit(signalStatus);
      signalStatus = 128 + number;
      interruption.abort();
    });
  }
  try {
    const status = await command(interruption.signal);
    process.exit(signalStatus || (status ?? 0));
  } catch (error) {
    if (signalStatus) process.exit(signalStatus);
    console.error(error instanceof CommandFailure ? error.message : error);
    process.exit(1);
  }
}
