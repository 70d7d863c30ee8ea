import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hasHashedNames } from './hashed-names.ts';
import { CommandFailure } from '../run-command.ts';
import { HEADERS_FILE, hostingFiles, type Headers } from './hosting-files.ts';

/** Around the rules that a run has written into a file that may have others. Both hosts skip lines that begin with `#`. */
const MARKS = ['# The rules of Tabserve. Its next run replaces them.', '# The end of the rules of Tabserve.'] as const;

/**
 * Writes the files of {@link hostingFiles} into the folder of a built site. Rules of the site's own in {@link HEADERS_FILE} stay.
 * @param headers Sent with every file.
 * @param path Path of the site on its host, with a slash at both ends.
 * @returns the names of the files.
 * @throws CommandFailure if {@link HEADERS_FILE} was changed so that the rules of an earlier run cannot be found.
 */
export function writeHostingFiles(folder: string, headers: Headers, path: string): readonly string[] {
  const files = hostingFiles(headers, path, hasHashedNames(folder));
  for (const [name, content] of files) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, name === HEADERS_FILE ? besideOthers(content, file) : content);
  }
  return [...files.keys()];
}

/**
 * Puts rules before the others of a file, in place of those that an earlier run has written.
 * @throws CommandFailure if the earlier ones cannot be told from the others: beside them, the headers would be sent twice.
 */
function besideOthers(rules: string, file: string): string {
  const [start, end] = MARKS;
  const earlier = existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\r\n', '\n') : '';
  const from = earlier.indexOf(start);
  const to = earlier.indexOf(end, from);
  const isThere = from !== -1 && to !== -1;
  const others = isThere ? earlier.slice(0, from) + earlier.slice(to + end.length).replace(/^\n/, '') : earlier;
  if (MARKS.some((mark) => others.includes(mark)))
    throw new CommandFailure(
      `${file} has to have the lines "${start}" and "${end}" once each, around the rules of Tabserve. Restore them, or remove both and these rules.`,
    );
  return `${start}\n${rules}${end}\n${others}`;
}
