/** A failure that the user can fix. Only its message is printed: one sentence that says what to do. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure' as const;
}

/** What the user has to mend, by the code of an error of a file or folder. Other codes are faults of the program. */
const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: 'this user is not allowed to',
  EPERM: 'this user is not allowed to',
  EROFS: 'it lies on a medium that cannot be written',
  ENOSPC: 'there is no room left',
  EDQUOT: 'this user has no room left',
  EEXIST: 'a file lies where a folder is needed',
  ENOTDIR: 'a file lies where a folder is needed',
  ERR_FS_CP_DIR_TO_NON_DIR: 'a file lies where a folder is needed',
  EISDIR: 'a folder lies where a file is needed',
  ERR_FS_CP_NON_DIR_TO_DIR: 'a folder lies where a file is needed',
};

/** Codes of the error for an output that nobody reads: of pipes, of those of Windows, and of sockets, as a parent in Node has. */
const WITHOUT_READER: readonly unknown[] = ['EPIPE', 'EOF', 'ECONNRESET'];

/** The shell's exit status of a command that ends because nobody reads its output. */
const SIGPIPE_STATUS = 128 + 13;

/**
 * Runs a command and exits with its status. A {@link CommandFailure} prints its message and exits with 1; an error of
 * {@link FILE_PROBLEMS} prints a sentence, any other its stack. SIGHUP, SIGINT and SIGTERM abort `signal`; the exit status
 * is then the shell's for that signal. So does an output that nobody reads any more, as after `| head -1`; what goes to
 * standard error is then dropped, because a server must not end with its log.
 */
export async function runCommand(command: (signal: AbortSignal) => Promise<number | void>): Promise<never> {
  const interruption = new AbortController();
  let signalStatus = 0;
  const stop = (status: number) => {
    signalStatus = status;
    interruption.abort();
  };
  for (const [name, number] of [
    ['SIGHUP', 1],
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ] as const) {
    process.on(name, () => {
      // A second signal skips the cleanup.
      if (signalStatus) process.exit(signalStatus);
      stop(128 + number);
    });
  }
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (signalStatus) return;
    const hasNoReader = WITHOUT_READER.includes(error.code);
    if (!hasNoReader) console.error(`The output cannot be written: ${error.message}`);
    stop(hasNoReader ? SIGPIPE_STATUS : 1);
  });
  try {
    const status = await command(interruption.signal);
    process.exit(signalStatus || (status ?? 0));
  } catch (error) {
    if (signalStatus) process.exit(signalStatus);
    console.error(error instanceof CommandFailure ? error.message : (fileProblem(error) ?? error));
    process.exit(1);
  }
}

/** Returns what is wrong with a file or folder, as a sentence; null for any other error. */
function fileProblem(error: unknown): string | null {
  const { code = '', path, dest = path } = (error ?? {}) as NodeJS.ErrnoException & { readonly dest?: string };
  if (dest === undefined || !Object.hasOwn(FILE_PROBLEMS, code)) return null;
  return `${dest} cannot be read or written: ${FILE_PROBLEMS[code]}.`;
}
