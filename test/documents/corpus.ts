import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDocument } from '../../src/document-reader/read-document.ts';
import { CommandFailure } from '../../src/command-line/run-command.ts';
import { CACHE } from '../support/python-packages.ts';

export type Language = 'English' | 'German' | 'French';

/** A file of a package, as text. */
export interface CorpusFile {
  /** Name of the package and of the file in it, such as `debian-faq/choosing.en.html`. */
  readonly name: string;
  readonly language: Language;
  readonly text: string;
}

interface PackagePart {
  readonly package: string;
  readonly language: Language;
  /** Folder of the files, in the package. */
  readonly folder: string;
  /** What the names of the files end with. */
  readonly ending: string;
}

const GUIDE = 'usr/share/doc/installation-guide-amd64';
const HANDBOOK = 'usr/share/doc/debian-handbook/html';

/** Documentation under free licences, in packages of Debian 12. */
const PARTS: readonly PackagePart[] = [
  { package: 'debian-reference-en', language: 'English', folder: 'usr/share/debian-reference', ending: '.en.html' },
  { package: 'debian-reference-de', language: 'German', folder: 'usr/share/debian-reference', ending: '.de.html' },
  { package: 'debian-reference-fr', language: 'French', folder: 'usr/share/debian-reference', ending: '.fr.html' },
  { package: 'debian-faq', language: 'English', folder: 'usr/share/doc/debian/FAQ', ending: '.en.html' },
  { package: 'debian-faq-de', language: 'German', folder: 'usr/share/doc/debian/FAQ', ending: '.de.html' },
  { package: 'debian-faq-fr', language: 'French', folder: 'usr/share/doc/debian/FAQ', ending: '.fr.html' },
  { package: 'debian-handbook', language: 'English', folder: `${HANDBOOK}/en-US`, ending: '.html' },
  { package: 'debian-handbook', language: 'German', folder: `${HANDBOOK}/de-DE`, ending: '.html' },
  { package: 'debian-handbook', language: 'French', folder: `${HANDBOOK}/fr-FR`, ending: '.html' },
  { package: 'installation-guide-amd64', language: 'English', folder: `${GUIDE}/en`, ending: '.html' },
  { package: 'installation-guide-amd64', language: 'German', folder: `${GUIDE}/de`, ending: '.html' },
  { package: 'installation-guide-amd64', language: 'French', folder: `${GUIDE}/fr`, ending: '.html' },
];

/** Folder of everything that is fetched or computed, outside the repository. */
export const FOLDER = join(CACHE, 'debian-documents');
const CORPUS = join(FOLDER, 'corpus.json');

/**
 * Returns the texts. They are fetched and converted once, and kept outside the repository.
 * @throws CommandFailure if this is no Debian, or its archive cannot be reached.
 */
export async function readCorpus(): Promise<readonly CorpusFile[]> {
  if (!existsSync(CORPUS)) {
    mkdirSync(FOLDER, { recursive: true });
    const files: CorpusFile[] = [];
    for (const part of PARTS) files.push(...(await convertPart(part)));
    writeFileSync(`${CORPUS}.part`, JSON.stringify(files));
    renameSync(`${CORPUS}.part`, CORPUS);
  }
  return JSON.parse(readFileSync(CORPUS, 'utf8')) as CorpusFile[];
}

async function convertPart({ package: name, language, folder, ending }: PackagePart): Promise<readonly CorpusFile[]> {
  const root = join(FOLDER, name);
  if (!existsSync(root)) unpack(name, root);
  console.log(`Converts ${name}, ${language}`);
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith(ending) && !/index\.html$|search\.html$|genindex/.test(path),
  );
  const files: CorpusFile[] = [];
  for (const path of paths.toSorted()) {
    const bytes = readFileSync(join(root, folder, path));
    files.push({ name: `${name}/${path}`, language, text: await htmlText(bytes) });
  }
  return files;
}

function unpack(name: string, root: string): void {
  try {
    const options = { cwd: FOLDER, stdio: 'inherit' } as const;
    execFileSync('apt-get', ['download', name], options);
    const archive = readdirSync(FOLDER).find((file) => file.startsWith(`${name}_`) && file.endsWith('.deb'))!;
    execFileSync('dpkg-deb', ['-x', archive, `${root}.part`], options);
    rmSync(join(FOLDER, archive));
    renameSync(`${root}.part`, root);
  } catch (cause) {
    throw new CommandFailure(
      `${name} cannot be fetched: this needs Debian, its archive and dpkg-deb. ${String(cause)}`,
    );
  }
}

async function htmlText(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const file = new Blob([bytes]);
  const options = {
    name: 'page.html',
    most: 10_000_000,
    pageTime: 0,
    largest: 10_000_000,
    languages: ['en'],
    encoding: 'utf-8',
  };
  return (await readDocument(file, options)).text;
}
