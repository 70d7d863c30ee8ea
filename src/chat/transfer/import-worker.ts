import { hasConversations, ImportFailure, readImportFile } from './read-import-file.ts';

/** Messages of this worker, after a first message with the file: the answers to requests for a document. */
export type ImportMessage =
  /** A JSON document of the file. Its list of chats is empty, because the entries follow one by one. */
  | { readonly type: 'document'; readonly document: unknown }
  /** An entry of the list of the last document. */
  | { readonly type: 'entry'; readonly entry: unknown }
  /** All of the last document has been posted. The next one is read when the page asks for it. */
  | { readonly type: 'complete' }
  /** The file has no further document. */
  | { readonly type: 'end' }
  | { readonly type: 'failure'; readonly reason: ImportFailure['reason'] };

const say = (message: ImportMessage): void => postMessage(message);

let documents: AsyncGenerator | undefined;

addEventListener('message', async ({ data }: MessageEvent<Blob | null>) => {
  if (data !== null) documents = readImportFile(data);
  try {
    const next = await documents?.next();
    if (next === undefined || next.done === true) return say({ type: 'end' });
    tell(next.value);
    say({ type: 'complete' });
  } catch (thrown) {
    if (!(thrown instanceof ImportFailure)) console.error(thrown);
    say({ type: 'failure', reason: thrown instanceof ImportFailure ? thrown.reason : 'unreadable' });
  }
});

/** Posts a document in parts, because deserialising the whole would block the page. */
function tell(document: unknown): void {
  const isList = Array.isArray(document);
  if (!isList && !hasConversations(document)) return say({ type: 'document', document });
  say({ type: 'document', document: isList ? [] : { ...document, conversations: [] } });
  for (const entry of isList ? document : document.conversations) {
    try {
      say({ type: 'entry', entry });
    } catch {
      // The entry is nested too deeply to be copied. It must not cost the others, so it counts as damaged.
      say({ type: 'entry', entry: { mapping: null } });
    }
  }
}
