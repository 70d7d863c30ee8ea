import { MAX_REQUEST_RECORDS, REQUEST_RECORDS_CHANNEL, type RequestRecord } from './request-record.ts';
import { openSiteDatabase } from './site-database.ts';

/** Adds a record, evicts the oldest ones and notifies pages. */
export async function addRequestRecord(record: RequestRecord): Promise<void> {
  // The user may have switched contents off since the request began.
  const content = record.content && (await isContentLogged()) ? record.content : null;
  const { store: requests, done } = (await openSiteDatabase()).transaction('requests', 'readwrite');
  await requests.add({ ...record, content });
  let excess = (await requests.count()) - MAX_REQUEST_RECORDS;
  for (let cursor = await requests.openCursor(); cursor !== null && excess > 0; excess--) {
    await cursor.delete();
    cursor = await cursor.continue();
  }
  await done;
  tell();
}

/** Lists the records of the request log, newest first. */
export async function listRequestRecords(): Promise<readonly RequestRecord[]> {
  const records = await (await openSiteDatabase()).getAll('requests');
  return records.toReversed();
}

export async function clearRequestRecords(): Promise<void> {
  await (await openSiteDatabase()).clear('requests');
  tell();
}

/** Whether the user has allowed bodies of requests and responses in the log. Default: no. */
export async function isContentLogged(): Promise<boolean> {
  return (await (await openSiteDatabase()).get('settings', 'record-content')) === true;
}

/** Sets whether bodies of requests and responses may be logged. Turning it off also deletes the bodies in the log. */
export async function setContentLogged(allowed: boolean): Promise<void> {
  const step = (await openSiteDatabase()).transaction(['settings', 'requests'], 'readwrite');
  await step.objectStore('settings').put(allowed, 'record-content');
  const requests = step.objectStore('requests');
  for (let cursor = allowed ? null : await requests.openCursor(); cursor !== null; cursor = await cursor.continue()) {
    await cursor.update({ ...cursor.value, content: null });
  }
  await step.done;
  tell();
}

/**
 * Calls `changed` after each change of the log, made in any tab or worker.
 * @returns a function that stops watching.
 */
export function watchRequestRecords(changed: () => void): () => void {
  const channel = new BroadcastChannel(REQUEST_RECORDS_CHANNEL);
  channel.addEventListener('message', changed);
  return () => channel.close();
}

function tell(): void {
  const channel = new BroadcastChannel(REQUEST_RECORDS_CHANNEL);
  channel.postMessage(null);
  channel.close();
}
