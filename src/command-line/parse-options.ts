import { parseArgs, type ParseArgsConfig } from 'node:util';
import { CommandFailure } from './run-command.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * Parses the options of a command: `--help` prints `usage` and exits; a wrong option throws a {@link CommandFailure}.
 * @param words Default: the process's arguments.
 */
export function parseOptions<const T extends Options>(
  usage: string,
  options: T,
  words: readonly string[] = process.argv.slice(2),
) {
  if (words.some((word) => word === '--help' || word === '-h')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandFailure(`${error.message.split('. ')[0]}; --help lists the options.`, { cause: error });
  }
}

/** Parses a TCP port; 0 means any free port. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new CommandFailure(`--port takes a number from 0 to 65535, not "${text}".`);
  }
  return port;
}

/** Parses an origin; a host that begins with `*.` means any subdomain. */
export function parseOrigin(text: string): string {
  if (!URL.canParse(text) || !/^https?:/.test(text)) {
    throw new CommandFailure(`--model-host takes an address such as https://models.example.org, not "${text}".`);
  }
  return new URL(text).origin;
}

/** Parses the value of option `name`: an integer of at least 1. */
export function parseCount(name: string, text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new CommandFailure(`${name} takes a whole number from 1 on, not "${text}".`);
  return Number(text);
}
