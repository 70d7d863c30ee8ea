import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';

/**
 * Maps each module name of the package to its source file, so that snippets can be compiled and bundled as if the
 * package were installed.
 */
export function packageEntries(): ReadonlyMap<string, string> {
  const { exports } = JSON.parse(readFileSync(join(PROJECT_FOLDER, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, { readonly types?: string } | string>>;
  };
  const entries = new Map<string, string>();
  for (const [path, entry] of Object.entries(exports)) {
    const types = typeof entry === 'string' ? undefined : entry.types;
    const source = join(PROJECT_FOLDER, types?.replace('/library/types', '/src').replace(/\.d\.ts$/, '.ts') ?? '-');
    if (existsSync(source)) entries.set(path.replace('.', 'tabserve'), source);
  }
  return entries;
}
