/** A file with its place in the folder that was chosen or dropped; or a folder in it that the browser cannot open. */
export interface ChosenFile {
  /** Null if the browser cannot open it. */
  readonly file: File | null;
  /** Name of the file, after the names of its folders: `papers/2024/a.pdf`. */
  readonly name: string;
  /**
   * Whether the file has not changed if its size and time have not. Only of a folder that is checked again; otherwise
   * another file may have the same name, size and time. Default: false.
   */
  readonly isChecked?: boolean;
}

/** A folder that was chosen or dropped. */
export interface ChosenFolder {
  readonly name: string;
  /** Tells whether another one is the same folder. Null in browsers that cannot tell. */
  readonly handle: FileSystemDirectoryHandle | null;
  /** Their names begin with the name of the folder. */
  readonly files: readonly ChosenFile[];
}

/** What was chosen or dropped at once. */
export interface Chosen {
  /** Files in no folder. */
  readonly files: readonly ChosenFile[];
  readonly folders: readonly ChosenFolder[];
}

/**
 * Returns the files of an `<input type="file">`, also of one that chooses a folder. What a dot hides in the folder is left
 * out.
 */
export function filesOfField(files: Iterable<File>): Chosen {
  const found = [...files]
    .map((file) => ({ file, name: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath }))
    .filter(({ name }) => name.split('/').slice(1).every(isVisible));
  const folders = new Map<string, ChosenFile[]>();
  for (const file of found.filter(({ name }) => name.includes('/'))) {
    const folder = file.name.split('/', 1)[0]!;
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  return {
    files: numbered(found.filter(({ name }) => !name.includes('/'))),
    folders: Array.from(folders, ([name, own]) => ({ name, handle: null, files: own })),
  };
}

/**
 * Returns the files of a drop, also those in folders. Call it in the `drop` event itself, which is the only time that
 * the browser lets the page see them.
 */
export async function filesOfDrop({ items }: DataTransfer): Promise<Chosen> {
  const dropped = [...items].filter(({ kind }) => kind === 'file');
  const entries = dropped.map((item) => ({
    entry: item.webkitGetAsEntry() ?? item.getAsFile(),
    handle: item.getAsFileSystemHandle?.().catch(() => null) ?? null,
  }));
  const files: ChosenFile[] = [];
  const folders: ChosenFolder[] = [];
  for (const { entry, handle } of entries) {
    if (entry === null) continue;
    if (entry instanceof File) files.push({ file: entry, name: entry.name });
    else if (isFolder(entry)) {
      const opened = await handle;
      const folder = opened?.kind === 'directory' ? (opened as FileSystemDirectoryHandle) : null;
      folders.push({ name: entry.name, handle: folder, files: await filesOfEntry(entry) });
    } else files.push(...(await filesOfEntry(entry)));
  }
  return { files: numbered(files), folders };
}

/** Returns files with a number in the names that others before them have, as of files from several folders. */
function numbered(files: readonly ChosenFile[]): readonly ChosenFile[] {
  const names = new Set<string>();
  return files.map((file) => {
    const [, start, ending] = /^(.+?)((?:\.[^.]*)?)$/s.exec(file.name) ?? [null, file.name, ''];
    let { name } = file;
    for (let number = 2; names.has(name); number += 1) name = `${start} (${number})${ending}`;
    names.add(name);
    return { ...file, name };
  });
}

/**
 * Returns the files in a folder that the person has chosen with `showDirectoryPicker`.
 * @throws DOMException if the browser cannot open the folder itself.
 */
export async function filesOfFolder(
  folder: FileSystemDirectoryHandle,
  path = folder.name,
): Promise<readonly ChosenFile[]> {
  const found: ChosenFile[] = [];
  for await (const handle of folder.values()) {
    const name = `${path}/${handle.name}`;
    if (!isVisible(handle.name)) continue;
    const unreadable = { file: null, name };
    if (handle instanceof FileSystemDirectoryHandle)
      found.push(...(await filesOfFolder(handle, name).catch(() => [unreadable])));
    else if (handle instanceof FileSystemFileHandle)
      found.push({ file: await handle.getFile().catch(() => null), name });
  }
  return found;
}

async function filesOfEntry(entry: FileSystemEntry): Promise<readonly ChosenFile[]> {
  const name = entry.fullPath.replace(/^\//, '');
  if (isFile(entry)) {
    const file = await new Promise<File | null>((resolve) => entry.file(resolve, () => resolve(null)));
    return [{ file, name }];
  }
  if (!isFolder(entry)) return [];
  const reader = entry.createReader();
  const found: ChosenFile[] = [];
  for (;;) {
    // A reader returns the entries in parts, of which the last one is empty.
    const part = await new Promise<FileSystemEntry[] | null>((resolve) =>
      reader.readEntries(resolve, () => resolve(null)),
    );
    if (part === null) return [...found, { file: null, name }];
    if (part.length === 0) return found;
    for (const inner of part) if (isVisible(inner.name)) found.push(...(await filesOfEntry(inner)));
  }
}

/** Whether a file or folder is not hidden by a dot, as `.git` and `.DS_Store` are. */
function isVisible(name: string): boolean {
  return !name.startsWith('.');
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

declare global {
  /** See https://wicg.github.io/file-system-access/#drag-and-drop; only in Chromium. */
  interface DataTransferItem {
    getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
  }
}
