import { hasConversations, ImportFailure, readImportFile } from './read-import-file.ts';

/** What this worker says of the file that it is given, and last how it has ended. */
export type ImportMessage =
  /** With an empty list where it has one. */
  | { readonly type: 'document'; readonly document: unknown }
  /** Belongs into the list of the last document. */
  | { readonly type: 'entry'; readonly entry: unknown }
  | { readonly type: 'end' }
  /** The reason is null for what nobody has foreseen. */
  | { readonly type: 'failure'; readonly reason: ImportFailure['reason'] | null; readonly words: string };

const say = (message: ImportMessage): void => postMessage(message);

addEventListener('message', async ({ data }: MessageEvent<Blob>) => {
  try {
    for (const document of await readImportFile(data)) tell(document);
    say({ type: 'end' });
  } catch (thrown) {
    say({ type: 'failure', reason: thrown instanceof ImportFailure ? thrown.reason : null, words: String(thrown) });
  }
});

/** Tells a document in pieces: to make objects of all of it at once would keep the page from doing anything else. */
function tell(document: unknown): void {
  const isList = Array.isArray(document);
  if (!isList && !hasConversations(document)) return say({ type: 'document', document });
  say({ type: 'document', document: isList ? [] : { ...document, conversations: [] } });
  for (const entry of isList ? document : document.conversations) say({ type: 'entry', entry });
}
