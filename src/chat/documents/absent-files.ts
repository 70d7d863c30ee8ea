import type { CollectionFile } from '../api/collection-files.ts';
import { documentName } from '../api/collections.ts';
import type { ChosenFile } from './chosen-files.ts';

/**
 * Returns the files of a collection that were in a folder and are no longer.
 * @param known The files of the collection.
 * @param found What is in the folder.
 * @param folder The name with which the names of its files begin.
 */
export function absentFiles<Known extends Pick<CollectionFile, 'attributes'>>(
  known: readonly Known[],
  found: readonly ChosenFile[],
  folder: string,
): readonly Known[] {
  const names = new Set(found.map(({ name }) => name.normalize('NFC')));
  // What cannot be read may be a folder, with files in it.
  const unread = found.flatMap(({ file, name }) => (file === null ? [`${name}/`] : []));
  return known.filter(({ attributes }) => {
    const own = documentName(attributes, '').normalize('NFC');
    return (
      own.startsWith(`${folder}/`.normalize('NFC')) &&
      !names.has(own) &&
      !unread.some((path) => own.startsWith(path.normalize('NFC')))
    );
  });
}
