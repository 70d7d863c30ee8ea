import { conversationStrings } from '../../../src/chat/strings/conversation-strings.ts';
import { messageStrings } from '../../../src/chat/strings/message-strings.ts';
import { answerLockName } from '../../../src/chat/types/conversation.ts';

/** What a person sees of the chat page. */
export interface ChatView {
  /** The text in the field for the next question; null while there is no field. */
  readonly draft: string | null;
  /** Whether an answer is being written in the displayed chat. */
  readonly answering: boolean;
}

/** Finds elements in the page and in all shadow trees. */
function* all(selector: string, root: ParentNode = document): Generator<HTMLElement> {
  yield* root.querySelectorAll<HTMLElement>(selector);
  for (const element of root.querySelectorAll('*')) if (element.shadowRoot) yield* all(selector, element.shadowRoot);
}

function last(selector: string): HTMLElement | null {
  return [...all(selector)].at(-1) ?? null;
}

function field(): HTMLTextAreaElement | null {
  return last('message-composer')?.shadowRoot?.querySelector('textarea') ?? null;
}

/** Clicks a button that is known by its name. */
function click(owner: string, name: string): boolean {
  const buttons = [...(last(owner)?.shadowRoot?.querySelectorAll('button') ?? [])];
  const button = buttons.find(
    (candidate) => !candidate.disabled && [candidate.title, candidate.innerText].includes(name),
  );
  button?.click();
  return button !== undefined;
}

function type(into: HTMLTextAreaElement, text: string): void {
  into.value = text;
  into.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
}

function enter(into: HTMLTextAreaElement): void {
  into.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, composed: true, cancelable: true }));
}

export function chatView(): ChatView {
  const composer = last('message-composer') as (HTMLElement & { answering?: boolean }) | null;
  return { draft: field()?.value ?? null, answering: composer?.answering ?? false };
}

/** Returns how many answers of chats are being written, in all tabs. Those of chats that were left go on. */
export async function answersWritten(): Promise<number> {
  const { held = [] } = await navigator.locks.query();
  return held.filter(({ name }) => name?.startsWith(answerLockName(''))).length;
}

/** Adds text to the field for the next question, and perhaps sends it. @returns whether there was a field. */
export function writeQuestion(text: string, send: boolean): boolean {
  const into = field();
  if (!into) return false;
  type(into, into.value === '' ? text : `${into.value} ${text}`);
  if (send) enter(into);
  return true;
}

/** Milliseconds between two looks at a page. */
const INTERVAL = 50;

/** Milliseconds after which a person does not wait any more. */
const PATIENCE = 8000;

/** Resolves to true when the page shows what a person waits for, to false if it takes too long. */
async function isShown(look: () => boolean): Promise<boolean> {
  for (let waited = 0; waited < PATIENCE; waited += INTERVAL) {
    if (look()) return true;
    await new Promise((resolve) => setTimeout(resolve, INTERVAL));
  }
  return false;
}

/** Chooses a file with this text for the next question, and waits until it is shown, when it need not have been read. */
export async function attachText(name: string, text: string): Promise<boolean> {
  const input = last('message-composer')?.shadowRoot?.querySelector<HTMLInputElement>('input[type=file]');
  if (!input) return false;
  const chosen = new DataTransfer();
  chosen.items.add(new File([text], name, { type: 'text/plain' }));
  input.files = chosen.files;
  input.dispatchEvent(new Event('change'));
  return isShown(() => last('attachment-tray')?.shadowRoot?.textContent?.includes(name) ?? false);
}

/** Imports a file with a chat, and waits until the list of chats shows its title. */
export async function importChat(file: string, title: string): Promise<boolean> {
  const list = last('conversation-list')?.shadowRoot;
  const input = list?.querySelector<HTMLInputElement>('input[type=file]');
  if (!input) return false;
  const chosen = new DataTransfer();
  chosen.items.add(new File([file], 'chat.json', { type: 'application/json' }));
  input.files = chosen.files;
  input.dispatchEvent(new Event('change'));
  return isShown(() => [...all('conversation-item')].some((item) => item.shadowRoot?.textContent?.includes(title)));
}

/** Changes the last question and asks it again. */
export async function editQuestion(text: string): Promise<boolean> {
  if (!click('question-message', messageStrings.edit)) return false;
  await new Promise((resolve) => setTimeout(resolve, 100));
  const editor = last('question-message')?.shadowRoot?.querySelector('textarea');
  if (!editor) return false;
  type(editor, `${editor.value} ${text}`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const send = last('question-message')?.shadowRoot?.querySelector<HTMLButtonElement>('button.primary');
  if (!send || send.disabled) return false;
  send.click();
  return true;
}

/** Asks for the last answer once more. */
export function regenerate(): boolean {
  return click('answer-message', messageStrings.regenerate);
}

/** Stops the answer that is being written. */
export function stopAnswer(): boolean {
  return click('message-composer', conversationStrings.stop);
}

/** Shows an empty chat. */
export function showNewChat(): boolean {
  location.hash = '#/';
  return true;
}

/** Returns those of the marks that are neither in what the origin stores nor on this page. */
export async function marksNotHere(marks: readonly string[]): Promise<readonly string[]> {
  const texts = [
    JSON.stringify({ ...localStorage }),
    JSON.stringify({ ...sessionStorage }),
    ...(await databaseTexts()),
  ];
  for (const part of all('textarea')) texts.push((part as HTMLTextAreaElement).value);
  for (const part of all('question-message, answer-message, queued-questions'))
    texts.push(part.shadowRoot?.textContent ?? '');
  const everything = texts.join('\n');
  return marks.filter((mark) => !everything.includes(mark));
}

async function databaseTexts(): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const { name = '' } of await indexedDB.databases()) {
    if (name.startsWith('chaos')) continue;
    const database = await settled<IDBDatabase>(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      const rows: readonly unknown[] = await settled(database.transaction(store).objectStore(store).getAll());
      for (const row of rows) if (hasFile(row)) texts.push(await row.source.text().catch(() => ''));
      texts.push(JSON.stringify(rows, (_key, value: unknown) => (ArrayBuffer.isView(value) ? null : value)));
    }
    database.close();
  }
  return texts;
}

/** Whether a row is that of an attached file which has not been read. */
function hasFile(row: unknown): row is { readonly source: File } {
  return row instanceof Object && 'source' in row && row.source instanceof File;
}

function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('no reason')));
  });
}

/** Until when, by `performance.now()`, the writes of this page fail. Global, because this script is evaluated for each call. */
const fullUntil = ((globalThis as { tabserveChaosFullUntil?: Map<string, number> }).tabserveChaosFullUntil ??=
  new Map());

/** Makes this page's writes to a store fail for some milliseconds, as when there is no room. */
export function failWrites(store: 'database' | 'local storage', time: number): void {
  const isFirst = !fullUntil.has(store);
  fullUntil.set(store, Math.max(fullUntil.get(store) ?? 0, performance.now() + time));
  if (!isFirst) return;
  if (store === 'local storage') return refuseWhileFull(Storage.prototype, 'setItem', store);
  refuseWhileFull(IDBObjectStore.prototype, 'put', store);
  refuseWhileFull(IDBObjectStore.prototype, 'add', store);
}

function refuseWhileFull(of: object, name: string, store: string): void {
  const write = Reflect.get(of, name) as (...values: unknown[]) => unknown;
  Reflect.set(of, name, function (this: unknown, ...values: unknown[]) {
    if (performance.now() < (fullUntil.get(store) ?? 0)) {
      throw new DOMException('There is no room.', 'QuotaExceededError');
    }
    return write.apply(this, values);
  });
}
