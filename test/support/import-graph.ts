import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';

/** Imports, re-exports, dynamic imports and workers by `new URL()`, of types too. */
const SPECIFIERS = /(?:\bfrom|\bimport|\bURL)\s*\(?\s*'(\.[^'?]+)/g;

/** The modules that each module of `src` imports, as paths from `src`. */
export const IMPORTS: ReadonlyMap<string, readonly string[]> = new Map(
  readdirSync(join(PROJECT_FOLDER, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.replaceAll('\\', '/'))
    .map((file) => {
      const code = readFileSync(join(PROJECT_FOLDER, 'src', file), 'utf8');
      const targets = Array.from(code.matchAll(SPECIFIERS), ([, specifier = '']) =>
        posix.join(posix.dirname(file), specifier),
      );
      return [file, targets] as const;
    }),
);
