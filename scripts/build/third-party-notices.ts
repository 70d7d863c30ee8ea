import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';
import { COMPILED_IN } from './compiled-in.ts';

/** A bundled package, as Vite's `build.license` writes it. */
export interface Notice {
  readonly name: string;
  readonly version: string;
  /** Licence, as an SPDX expression. */
  readonly identifier?: string;
  readonly text?: string;
}

/**
 * Formats notices as one text.
 * @param whole What contains the packages; the text mentions it.
 * @param found The notices; may contain duplicates.
 */
export function noticesText(whole: 'package' | 'site', found: readonly Notice[]): string {
  const sections = bundledPackages(found).map(
    ({ name, version, identifier, text }) =>
      `## ${name} ${version}\n\n${identifier ?? 'No license named'}\n\n${fenced(text)}${partsOf(name)}`,
  );
  // Only for the site: the package has a LICENSE file.
  const own = whole === 'site' ? `# Licence of this site\n\n${fenced(noticeIn(PROJECT_FOLDER).text)}\n` : '';
  return `${own}# What this ${whole} contains of others\n\n${INTRODUCTION}\n${sections.join('\n')}`;
}

/** Returns each bundled package once, sorted by its name, with those that no bundler reports. */
export function bundledPackages(found: readonly Notice[]): readonly Notice[] {
  const notices = new Map(
    [...found, ...UNSEEN.map(installedNotice)].map((notice) => [`${notice.name} ${notice.version}`, notice]),
  );
  return [...notices].toSorted(([one], [other]) => one.localeCompare(other)).map(([, notice]) => notice);
}

const INTRODUCTION = `The scripts contain code of the packages below; this list is made from what was bundled. Below a package
stands what it contains of other projects in compiled form. The terms of the MIT License stand under @wllama/wllama.
`;

/**
 * Packages that bundlers do not report: AssemblyScript's standard library is compiled into the built-in models'
 * libraries, WebLLM's published bundle contains loglevel, and the files of wllama are copied.
 */
const UNSEEN = ['assemblyscript', 'loglevel', '@wllama/wllama', '@wllama/wllama-compat'] as const;

function installedNotice(name: string): Notice {
  return noticeIn(join(PROJECT_FOLDER, 'node_modules', name));
}

/** Reads a package's notice. @param folder The package's folder. */
export function noticeIn(folder: string): Notice {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string;
  };
  const file = readdirSync(folder).find((name) => /^(licen[sc]e|copying)/i.test(name));
  return {
    name,
    version,
    ...(license !== undefined && { identifier: license }),
    ...(file !== undefined && { text: readFileSync(join(folder, file), 'utf8').trim() }),
  };
}

function partsOf(name: string): string {
  if (!Object.hasOwn(COMPILED_IN, name)) return '';
  const parts = COMPILED_IN[name]!.map(
    ({ name, identifier = '', copyright, text }) =>
      `- ${[`${name}: ${identifier}`, ...copyright].join('. ')}\n${text === undefined ? '' : `\n${fenced(text)}\n`}`,
  );
  return `\nIn compiled form it contains:\n\n${parts.join('')}`;
}

function fenced(text: string | undefined): string {
  return text === undefined ? '' : `\`\`\`\n${text}\n\`\`\`\n`;
}
