import type { Tabserve } from '../../../page/index.ts';
import { streamChatCompletion } from '../../api/stream-chat-completion.ts';
import { questionText } from '../../api/message-content.ts';
import { estimateTextTokens } from '../../attachments/count-attachment.ts';
import { unsentFiles } from '../../attachments/unsent-files.ts';
import { conversationAddress } from '../../common/route.ts';
import type { ConversationStore } from '../../storage/conversation-store.ts';
import type { Conversation, Message, Question } from '../../types/conversation.ts';
import { drafts } from '../../storage/drafts/drafts.ts';
import { contextStrings, summaryPrompt } from '../../strings/context-window-strings.ts';
import { countContext } from '../../common/count-tokens.ts';

/** Share of the context window for copied messages. */
const COPIED = 1 / 3;
/**
 * Shares of the context window for the messages that are still sent: the usual share, and the one used if the last
 * question is long.
 */
const KEPT = 1 / 2;
const MAX_KEPT = 3 / 4;
/** Share of the context window for the text to summarise. */
const SUMMED = 2 / 3;
const SUMMARY_TOKENS = 400;

/** A conversation to continue in a new chat. */
export interface FullChat {
  readonly conversation: Conversation;
  readonly path: readonly Message[];
  /** Id of the model of the new chat. */
  readonly model: string;
  /** Context window in tokens. */
  readonly window: number;
  readonly tabserve: Tabserve;
  readonly store: ConversationStore;
}

/**
 * Creates a chat that begins with the last messages of another one, and shows it. An unanswered question becomes the
 * draft, with its files.
 */
export async function continueWithTurns(chat: FullChat): Promise<void> {
  await begin(chat, await lastTurns(chat, COPIED));
}

/**
 * Continues in the same chat, whose first messages are no longer sent to the model.
 * @throws Error with a message for the user if the last question alone is too long.
 */
export async function leaveOutFirst({ path, ...chat }: FullChat): Promise<void> {
  const said = path.filter(isSaid);
  // A long last question may need more than the usual share.
  const start = (await firstFitting(chat, said, KEPT)) ?? (await firstFitting(chat, said, MAX_KEPT));
  const first = start === undefined ? undefined : said[start];
  if (first === undefined) throw new Error(contextStrings.nothingFits);
  await chat.store.update(chat.conversation.id, { sentFrom: first.id });
}

/**
 * Creates a chat that begins with a summary of another one, and shows it.
 * @param tell Called with the growing summary.
 * @throws ApiError as {@link streamChatCompletion} does.
 * @throws Error with a message for the user if the summary is empty.
 * @throws the signal's reason if it aborts before the summary is complete.
 */
export async function continueWithSummary(
  chat: FullChat,
  tell: (summary: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { model, conversation, tabserve, window } = chat;
  const transcript = (await lastTurns(chat, SUMMED))
    .map((message) => `${message.role}: ${wholeText(message)}`)
    .join('\n\n');
  const request = {
    model,
    messages: [{ role: 'user', content: summaryPrompt(transcript) }],
    max_completion_tokens: Math.min(SUMMARY_TOKENS, Math.floor(window / 6)),
  } as const;
  let summary = '';
  const stream = { id: crypto.randomUUID(), lastEvent: null };
  for await (const { pieces } of streamChatCompletion(request, stream, signal, tabserve.fetch)) {
    for (const piece of pieces) if (piece.type === 'text') summary += piece.text;
    tell(summary);
  }
  signal.throwIfAborted();
  if (summary.trim() === '') throw new Error(contextStrings.noSummary);
  const text = contextStrings.summaryMessage(summary.trim());
  const base = { id: crypto.randomUUID(), conversation: conversation.id, parent: null, created: Date.now() };
  await begin(chat, [{ ...base, role: 'user', text }]);
}

/**
 * Returns as many of the last messages as fit into `share` of the context window. They start with a question; a
 * question without an answer is left out.
 */
async function lastTurns(
  { path, model, window, tabserve, conversation }: FullChat,
  share: number,
): Promise<readonly Message[]> {
  const said = path.filter(isSaid);
  const answered = said.slice(0, said.findLastIndex(({ role }) => role === 'assistant') + 1);
  const start = await firstFitting({ model, window, tabserve, conversation }, answered, share);
  return start === undefined ? [] : answered.slice(start);
}

/**
 * Returns the index of the earliest question from which all messages fit into `share` of the context window; undefined
 * if even the last question with its answer does not fit.
 */
async function firstFitting(
  { model, window, tabserve, conversation }: Pick<FullChat, 'model' | 'window' | 'tabserve' | 'conversation'>,
  messages: readonly Message[],
  share: number,
): Promise<number | undefined> {
  const starts = [...messages.keys()].filter((index) => messages[index]?.role === 'user');
  const { settings } = conversation;
  // Some models, such as those of llama.cpp, show no tokens.
  const size = (some: readonly Message[]) =>
    countContext(tabserve, model, some, settings).catch(() =>
      estimateTextTokens([settings.systemPrompt, ...some.map(wholeText)].join('\n')),
    );
  // Binary search for the earliest question to start from: a later start gives fewer tokens.
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((await size(messages.slice(starts[middle]))) <= share * window) high = middle;
    else low = middle + 1;
  }
  return starts[low];
}

async function begin({ conversation, path, store }: FullChat, messages: readonly Message[]): Promise<void> {
  const id = crypto.randomUUID();
  const now = Date.now();
  let parent: string | null = null;
  const copies = messages.map((message): Message => {
    const copy = { ...message, id: crypto.randomUUID(), conversation: id, parent };
    parent = copy.id;
    return copy;
  });
  const title = contextStrings.continued(conversation.title);
  // Consent to tools applies to the old chat only.
  const settings = { ...conversation.settings, allowedTools: [] };
  await store.add(
    {
      ...conversation,
      sentFrom: undefined,
      settings,
      id,
      title,
      pinned: false,
      created: now,
      updated: now,
      leaf: parent,
    },
    copies,
  );
  const open = openQuestion(path);
  if (open !== undefined) drafts.write(id, open.text);
  await unsentFiles.restore(id, open?.attachments ?? []);
  location.hash = conversationAddress(id);
}

/** Returns the text of a message with that of its files. */
function wholeText(message: Message): string {
  return message.role === 'user' ? questionText(message) : message.text;
}

/** Whether a message has content. A question may consist of files only. */
function isSaid(message: Message): boolean {
  return message.text !== '' || (message.role === 'user' && (message.attachments ?? []).length > 0);
}

/** Returns the last question if its answer has no text; otherwise undefined. */
function openQuestion(path: readonly Message[]): Question | undefined {
  const last = path.findLast(isSaid);
  return last?.role === 'user' ? last : undefined;
}
