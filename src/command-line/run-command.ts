/** A failure the user can put right; its message is the whole report, one sentence that says what to do. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure' as const;
}

/**
 * Runs a command and ends the process with its exit status. A {@link CommandFailure} is printed as its one
 * sentence with status 1; anything else is a defect and keeps its stack. Ctrl-C and the other usual signals abort
 * `signal`; a command that then returns or throws ends with the shell's status for that signal.
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
      // A second Ctrl-C means that cleaning up takes too long.
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
