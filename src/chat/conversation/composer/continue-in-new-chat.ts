import type { Tabserve } from '../../../page/index.ts';
import { streamChatCompletion } from '../../api/chat-completion.ts';
import { questionText } from '../../api/message-content.ts';
import { waitingFiles } from '../../attachments/waiting-files.ts';
import { conversationAddress } from '../../common/route.ts';
import type { ConversationStore } from '../../storage/conversation-store.ts';
import type { Conversation, Message, Question } from '../../types/conversation.ts';
import { writeDraft } from '../../storage/local-values.ts';
import { contextStrings, summaryPrompt } from '../../strings/context.ts';
import { countContext } from '../../common/count-tokens.ts';

/** Share of the window that is copied, and that is summed up. */
const COPIED = 1 / 3;
const SUMMED = 2 / 3;
/** Most tokens of a summary. */
const SUMMARY_TOKENS = 400;
/** Characters of a token, where they cannot be counted: fewer than in most texts, so that what is taken fits. */
const CHARACTERS = 3;

/** A conversation that is to be gone on with elsewhere. */
export interface FullChat {
  readonly conversation: Conversation;
  readonly path: readonly Message[];
  /** Id of the model that goes on. */
  readonly model: string;
  /** Tokens it takes in at once. */
  readonly window: number;
  readonly tabserve: Tabserve;
  readonly store: ConversationStore;
}

/**
 * Makes a chat that begins with the last messages of another one, and shows it. A question that got no answer is
 * not copied: it stands in the field with its files beside it, to be asked there.
 */
export async function continueWithTurns(chat: FullChat): Promise<void> {
  await begin(chat, await lastTurns(chat, COPIED));
}

/**
 * Makes a chat that begins with a summary of another one, and shows it.
 * @param tell Called with the summary as it grows.
 * @throws ApiError as the endpoint does, and Error in words for the person where the model says nothing; the signal's
 *   reason.
 */
export async function continueWithSummary(
  chat: FullChat,
  tell: (summary: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { model, conversation, tabserve, window } = chat;
  const transcript = (await lastTurns(chat, SUMMED))
    .map((message) => `${message.role}: ${message.role === 'user' ? questionText(message) : message.text}`)
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

/** The last messages, from a question on, that need no more than this share of the window; without an open question. */
async function lastTurns(
  { path, model, window, tabserve, conversation }: FullChat,
  share: number,
): Promise<readonly Message[]> {
  const said = path.filter(isSaid);
  const answered = said.slice(0, said.findLastIndex(({ role }) => role === 'assistant') + 1);
  const starts = [...answered.keys()].filter((index) => answered[index]?.role === 'user');
  const size = (messages: readonly Message[]) =>
    countContext(tabserve, model, messages, conversation.settings).catch(
      () => messages.reduce((sum, { text }) => sum + text.length, 0) / CHARACTERS,
    );
  // Fewer messages need fewer tokens, so the first start that fits is found by halving.
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((await size(answered.slice(starts[middle]))) <= share * window) high = middle;
    else low = middle + 1;
  }
  return low === starts.length ? [] : answered.slice(starts[low]);
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
  // What may run without a question was said of the old chat only.
  const settings = { ...conversation.settings, allowedTools: [] };
  await store.add(
    { ...conversation, settings, id, title, pinned: false, created: now, updated: now, leaf: parent },
    copies,
  );
  const open = openQuestion(path);
  if (open !== undefined) writeDraft(id, open.text);
  waitingFiles.restore(id, open?.attachments ?? []);
  location.hash = conversationAddress(id);
}

/** A file may be all of a question. */
function isSaid(message: Message): boolean {
  return message.text !== '' || (message.role === 'user' && (message.attachments ?? []).length > 0);
}

/** The last question, where no word of an answer follows it. */
function openQuestion(path: readonly Message[]): Question | undefined {
  const last = path.findLast(isSaid);
  return last?.role === 'user' ? last : undefined;
}
