import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';

/** A place in which the site stores something, as `docs/security-and-privacy.md` lists it. */
export interface DocumentedPlace {
  readonly kind: 'Cache Storage' | 'IndexedDB' | 'localStorage' | 'sessionStorage';
  /** Its name; a name that ends in `…` stands for all names with this beginning. */
  readonly name: string;
}

/** Reads the places from the table of what is stored. */
export function documentedPlaces(): readonly DocumentedPlace[] {
  const document = readFileSync(join(PROJECT_FOLDER, 'docs/security-and-privacy.md'), 'utf8');
  const table = document.slice(document.indexOf('## What is stored'), document.indexOf('## Keys'));
  return [
    ...table.matchAll(/\| (?:`)?(Cache Storage|IndexedDB|localStorage|sessionStorage)(?:`)?: ([^|]+) \|/g),
  ].flatMap(([, kind, names]) =>
    [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => ({ kind: kind as DocumentedPlace['kind'], name: name! })),
  );
}

/** Whether the table has a place. */
export function isDocumented(kind: DocumentedPlace['kind'], name: string): boolean {
  return documentedPlaces().some(
    (place) =>
      place.kind === kind &&
      (place.name.endsWith('…') ? name.startsWith(place.name.slice(0, -1)) : name === place.name),
  );
}
