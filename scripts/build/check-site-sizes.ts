import { existsSync } from 'node:fs';
import { DIST_FOLDER } from '../../src/command-line/project-folders.ts';
import { CommandFailure, runCommand } from '../../src/command-line/run-command.ts';
import { measureSite, type PartSize } from './measure-site.ts';

/** Prints the size of each part of the built site; fails if a part exceeds its limit or is missing. */
await runCommand(async () => {
  const folder = process.argv[2] ?? DIST_FOLDER;
  if (!existsSync(folder))
    throw new CommandFailure(`There is no built site in ${folder}: run \`npm run build\` first.`);
  const parts = measureSite(folder);
  console.table(
    Object.fromEntries(
      parts.map(({ name, files, raw, gzip, limit }) => [
        name,
        {
          files,
          'kB raw': kilobytes(raw),
          'kB gzip': kilobytes(gzip),
          limit: limit ? `${kilobytes(limit.bytes)} ${limit.of}` : '',
        },
      ]),
    ),
  );
  const complaints = parts.flatMap(complaintAbout);
  if (complaints.length) throw new CommandFailure(complaints.join('\n'));
});

function complaintAbout(part: PartSize): string[] {
  if (!part.limit) return [];
  // Fails if a part has no file: after a rename its size would otherwise not be measured.
  if (!part.files) return [`The build has no file that counts as "${part.name}".`];
  const size = part[part.limit.of];
  if (size <= part.limit.bytes) return [];
  return [
    `"${part.name}" is ${kilobytes(size)} kB (${part.limit.of}), over its limit of ${kilobytes(part.limit.bytes)} kB.`,
  ];
}

function kilobytes(bytes: number): number {
  return Math.round(bytes / 100) / 10;
}
