import type { ChosenFolder } from './chosen-files.ts';

/** What a person says of a folder that has the name of one in the collection. */
export type SameOrOther = 'same' | 'other';

/** What is known of the folders of a collection. */
export interface KnownFolders {
  /** Whether the collection has files of a folder with this name. */
  readonly has: (name: string) => boolean;
  /** Those that are remembered. */
  readonly remembered: readonly { readonly name: string; readonly handle: FileSystemDirectoryHandle }[];
  /** Asks the person. Resolves to null if the folder shall not be added. */
  readonly ask: (name: string) => Promise<SameOrOther | null>;
}

/**
 * Returns folders with the names under which their files are added to a collection: a folder that it has keeps its name, so
 * that its files are replaced, and the files of another one of that name are kept apart by a number. Where the browser does
 * not tell which it is, the person is asked.
 */
export async function nameFolders(
  folders: readonly ChosenFolder[],
  { has, remembered, ask }: KnownFolders,
): Promise<readonly ChosenFolder[]> {
  const named: ChosenFolder[] = [];
  const isNamed = (name: string) => named.some((folder) => folder.name === name);
  const isRemembered = (name: string) => remembered.some((folder) => folder.name === name);
  const nextName = (name: string): string => {
    for (let number = 2; ; number += 1) {
      const numbered = `${name} (${number})`;
      if (!isNamed(numbered) && !isRemembered(numbered) && !has(numbered)) return numbered;
    }
  };
  for (const folder of folders) {
    const { name, handle } = folder;
    const known = handle && (await sameAs(handle, remembered));
    const isOther = isNamed(name) || (handle !== null && isRemembered(name));
    const isUnsure = known === null && !isOther && (has(name) || isRemembered(name));
    const answer = isUnsure ? await ask(name) : isOther ? 'other' : 'same';
    if (answer !== null) named.push(renamed(folder, known?.name ?? (answer === 'same' ? name : nextName(name))));
  }
  return named;
}

async function sameAs<Known extends { readonly handle: FileSystemDirectoryHandle }>(
  handle: FileSystemDirectoryHandle,
  folders: readonly Known[],
): Promise<Known | null> {
  for (const folder of folders) if (await folder.handle.isSameEntry(handle)) return folder;
  return null;
}

function renamed(folder: ChosenFolder, name: string): ChosenFolder {
  const rest = folder.name.length;
  return { ...folder, name, files: folder.files.map((file) => ({ ...file, name: name + file.name.slice(rest) })) };
}
