import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BILL_OF_MATERIALS, billOfMaterials } from './bill-of-materials.ts';
import { noticesText, type Notice } from './third-party-notices.ts';

const SUFFIX = '.notices.json';

/** For Vite's `build.license`: lists the packages in script `name` in a separate file in the same folder. */
export function noticesOf(name: string): { readonly fileName: string } {
  return { fileName: name + SUFFIX };
}

/**
 * Merges the lists that {@link noticesOf} created in a folder into `THIRD-PARTY-NOTICES.md` and a bill of materials, and
 * deletes them.
 */
export function writeNotices(folder: string): void {
  const notes = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith(SUFFIX));
  const found = notes.flatMap((path) => JSON.parse(readFileSync(join(folder, path), 'utf8')) as Notice[]);
  for (const path of notes) rmSync(join(folder, path));
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.md'), noticesText('package', found));
  writeFileSync(join(folder, BILL_OF_MATERIALS), billOfMaterials('package', found));
}
