import { CommandFailure } from '../../src/command-line/run-command.ts';

/** One of several parts of the tests. The first part has the number 1. */
export interface Shard {
  readonly number: number;
  readonly count: number;
}

/** Parses a shard such as `2/6`. */
export function parseShard(text: string): Shard {
  const [, number = 0, count = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (number < 1 || number > count) throw new CommandFailure(`--shard takes a part such as 2/6, not "${text}".`);
  return { number, count };
}
