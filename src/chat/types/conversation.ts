import type { ChatCompletionRequest } from '../types/chat-completion-request.ts';
import type { ApiErrorCode } from '../../shared/api-error.ts';
import type { FinishReason } from '../../shared/engine/completion-event.ts';

/** Tools that the user can enable for a chat. */
export const TOOL_NAMES = ['calculate', 'current_time', 'search_chats', 'run_javascript'] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

/** Whether a name that a model wrote is that of a known tool. */
export function isToolName(name: string): name is ToolName {
  return (TOOL_NAMES as readonly string[]).includes(name);
}

/** Lets a tool run without asking, as long as its results go to one engine. */
interface ToolGrant {
  readonly tool: ToolName;
  /**
   * The engine that may get the results, as {@link Answer.engine}. A grant for this device must not send results to a
   * server.
   */
  readonly engine: string;
}

/** A collection of documents: a vector store of the endpoint. */
export interface CollectionName {
  readonly id: string;
  /** The name that it had when it was chosen. */
  readonly name: string;
}

/** A passage of a document that was found for a question. */
export interface Source {
  /** Id of the file in the collection. */
  readonly file: string;
  /** Name of the file. Untrusted. */
  readonly name: string;
  /** The passage, with the headings above it, as the model received it. */
  readonly text: string;
}

/** The parameters of a conversation's requests to the model. Null means the model's default. */
export interface ConversationSettings {
  /** Null means the model that was chosen last on this device. */
  readonly model: string | null;
  readonly systemPrompt: string;
  /** Instructions for all chats, which precede the system prompt. Only in the settings of answers. */
  readonly instructions?: string | undefined;
  /** 0…2; 0 always takes the most likely token. */
  readonly temperature: number | null;
  /** 0…1. */
  readonly topP: number | null;
  /** Maximum tokens of an answer, at least 1. */
  readonly maxTokens: number | null;
  /** An integer makes answers repeatable. Null draws a new seed for each answer. */
  readonly seed: number | null;
  /** At most four stop sequences. */
  readonly stop: readonly string[];
  /** −2…2. */
  readonly presencePenalty: number | null;
  /** −2…2. */
  readonly frequencyPenalty: number | null;
  /** A JSON Schema that every answer must match; empty for free text. */
  readonly jsonSchema: string;
  /** Enabled tools. Default: none. */
  readonly tools?: readonly ToolName[] | undefined;
  /** Tools that run without asking. Default: none. Importing or copying a chat drops them. */
  readonly allowedTools?: readonly ToolGrant[] | undefined;
  /** The collection of documents in which each question is looked up. Default: none. Importing a chat drops it. */
  readonly documents?: CollectionName | undefined;
}

export const DEFAULT_SETTINGS: ConversationSettings = {
  model: null,
  systemPrompt: '',
  temperature: null,
  topP: null,
  maxTokens: null,
  seed: null,
  stop: [],
  presencePenalty: null,
  frequencyPenalty: null,
  jsonSchema: '',
  tools: [],
};

export interface Conversation {
  readonly id: string;
  readonly title: string;
  readonly pinned: boolean;
  /** Milliseconds since 1970. */
  readonly created: number;
  /** Milliseconds since 1970 of the last question or answer. The list is sorted by it. */
  readonly updated: number;
  /** Last message of the current branch; null if there are no messages. */
  readonly leaf: string | null;
  /** Id of the first message that is sent to the model, if the user left out those before it. Default: all are sent. */
  readonly sentFrom?: string | undefined;
  readonly settings: ConversationSettings;
}

interface MessageBase {
  readonly id: string;
  /** Id of the conversation. */
  readonly conversation: string;
  /** The previous message; null for a first question. Messages with the same parent are branches. */
  readonly parent: string | null;
  /** Milliseconds since 1970; unique among the children of a parent. */
  readonly created: number;
}

interface AttachmentBase {
  readonly id: string;
  /** File name. Untrusted. */
  readonly name: string;
  /** Bytes of the file. */
  readonly size: number;
}

/** What the model receives of a file's text: all, its beginning, or passages that fit the question. */
export const ATTACHED_PARTS = ['whole', 'beginning', 'passages'] as const;
export type AttachedPart = (typeof ATTACHED_PARTS)[number];

/** A file as the model receives it. The file itself is not stored. */
export type Attachment =
  | (AttachmentBase & { readonly kind: 'text'; readonly part: AttachedPart; readonly text: string })
  /** `url` is a `data:` URL. */
  | (AttachmentBase & { readonly kind: 'image'; readonly url: string });

export interface Question extends MessageBase {
  readonly role: 'user';
  /** Empty if there are only attachments. */
  readonly text: string;
  readonly attachments?: readonly Attachment[] | undefined;
}

/** A question before it is part of a conversation. */
export type AskedQuestion = Pick<Question, 'text' | 'attachments'>;

/**
 * `running`: a tab generates it and holds the lock {@link answerLockName}. `stopped`: by the user. `interrupted`: that
 * tab is gone and the stream is lost. `failed`: see `error`.
 */
export const ANSWER_STATES = ['running', 'complete', 'stopped', 'interrupted', 'failed'] as const;
type AnswerState = (typeof ANSWER_STATES)[number];

interface AnswerError {
  readonly code: ApiErrorCode;
  readonly message: string;
}

/** `writing`: the model is still writing the call. `waiting`: for the user's consent. */
export const TOOL_OUTCOMES = ['writing', 'waiting', 'running', 'done', 'failed', 'refused'] as const;

export interface ToolCall {
  /**
   * Generated by this page, because a server may use an id twice within an answer, and the user's consent applies to
   * one call.
   */
  readonly id: string;
  /** How the stream identifies the call: its index and the server's id. */
  readonly source?: { readonly index: number; readonly id: string } | undefined;
  /** Name of the tool, as the model wrote it. */
  readonly name: string;
  /** JSON, as the model wrote it. */
  readonly arguments: string;
  readonly outcome: (typeof TOOL_OUTCOMES)[number];
  /** The text that the model received; empty until the call has a result. */
  readonly result: string;
}

/** Calls of one round, with the text before them. */
export interface ToolRound {
  readonly text: string;
  readonly calls: readonly ToolCall[];
}

/** How to resume an answer whose page was closed. */
export interface AnswerStream {
  /** Name of the stream, by which the engine knows it. */
  readonly id: string;
  /** Number of the last event whose text is in the answer, −1 if there is none. */
  readonly lastEvent: number;
  /** The request that the stream belongs to. The stream can be resumed only with an equal request. */
  readonly request: ChatCompletionRequest;
}

export interface Answer extends MessageBase {
  readonly role: 'assistant';
  /** Id of the requested model; once the answer begins, of the model that answers. */
  readonly model: string;
  /**
   * Where the answer was generated: `local`, or `upstream:` and a name. Null before the first token; absent in answers
   * of older builds.
   */
  readonly engine?: string | null | undefined;
  /** Id of the answer with which this one is compared, side by side. Default: none. */
  readonly beside?: string | undefined;
  readonly text: string;
  /** Reasoning before the answer; empty if there was none. */
  readonly thinking: string;
  /**
   * The passages that were found for the question. The answer cites them by their place in this list: `[1]` is the first
   * one. Empty if nothing was found. Default: no documents were searched.
   */
  readonly sources?: readonly Source[] | undefined;
  /** Tool calls before the text. */
  readonly rounds?: readonly ToolRound[] | undefined;
  readonly state: AnswerState;
  /** Set only while the answer is being written. */
  readonly stream?: AnswerStream | undefined;
  readonly finishReason: FinishReason | null;
  /** Whether the answer ended because the model repeated itself endlessly. Default: false. */
  readonly isStuck?: boolean | undefined;
  /** Whether a content filter of an upstream ended the answer. Default: false. */
  readonly isFiltered?: boolean | undefined;
  readonly error: AnswerError | null;
  /** The settings of the answer's request, with which it can be continued. */
  readonly settings: ConversationSettings;
  readonly seed: number;
  readonly promptTokens: number | null;
  /** Sampled tokens; a running count until the answer is complete. */
  readonly completionTokens: number | null;
  /** Milliseconds from the request to the first token. */
  readonly timeToFirstToken: number | null;
  /** Milliseconds of thinking. Absent in answers of older builds. */
  readonly thinkingTime?: number | null | undefined;
  /** Tokens per second after the first token. */
  readonly tokensPerSecond: number | null;
}

export type Message = Question | Answer;

/**
 * Identifies the weights behind an embedding. Models have no version, so the embedding of a sample text serves as one.
 */
export interface EmbeddingWeights {
  /** Id of the model. */
  readonly model: string;
  readonly sample: Float32Array<ArrayBuffer>;
}

/** The embeddings of a message's passages, for search by meaning. */
export interface MessageVectors extends Omit<EmbeddingWeights, 'sample'> {
  /** Absent in embeddings of older builds. */
  readonly sample?: EmbeddingWeights['sample'];
  readonly passages: readonly Float32Array<ArrayBuffer>[];
}

/** A message in the database. Rewriting it drops its embeddings, which belong to the old text. */
export type StoredMessage = Message & { readonly vectors?: MessageVectors };

export function newQuestion(asked: AskedQuestion & Pick<Question, 'conversation' | 'parent' | 'created'>): Question {
  return { ...asked, id: crypto.randomUUID(), role: 'user' };
}

/** Returns an answer before its first token. Chooses a random seed if the settings have none. */
export function emptyAnswer(asked: Pick<Answer, 'conversation' | 'parent' | 'created' | 'model' | 'settings'>): Answer {
  return {
    ...asked,
    id: crypto.randomUUID(),
    role: 'assistant',
    text: '',
    thinking: '',
    state: 'running',
    finishReason: null,
    error: null,
    // 31 bits, which every JSON parser keeps exactly.
    seed: asked.settings.seed ?? crypto.getRandomValues(new Uint32Array(1))[0]! >>> 1,
    promptTokens: null,
    completionTokens: null,
    timeToFirstToken: null,
    tokensPerSecond: null,
  };
}

/**
 * Returns the messages of a path that are sent to the model: those from the message `sentFrom` on. On a branch without
 * this message, all are sent.
 */
export function sentMessages(path: readonly Message[], sentFrom: string | undefined): readonly Message[] {
  return path.slice(
    Math.max(
      0,
      path.findIndex(({ id }) => id === sentFrom),
    ),
  );
}

/** Returns the engine of an answer. Answers of older builds have none and count as local. */
export function engineOf({ engine }: Pick<Answer, 'engine'>): string {
  return engine ?? 'local';
}

/** Returns the name of the Web Lock that a tab holds while it generates an answer. */
export function answerLockName(id: string): string {
  return `tabserve-answer-${id}`;
}

/**
 * Maximum characters of a title: as many as fit into the header of a wide window. Narrower places cut the title
 * themselves.
 */
const MAX_TITLE_LENGTH = 120;

/** Returns a title made of a first question, cut at the end of a word. */
export function titleFrom(question: string): string {
  const line = question.trim().replace(/\s+/g, ' ');
  if (line.length <= MAX_TITLE_LENGTH) return line;
  const cut = line.slice(0, MAX_TITLE_LENGTH);
  const end = cut.lastIndexOf(' ');
  // Removes half of a surrogate pair, which the cut may leave.
  return `${cut.slice(0, end > MAX_TITLE_LENGTH / 2 ? end : MAX_TITLE_LENGTH).replace(/\p{Cs}/gu, '')}…`;
}

/** Returns a title made of a first question or, if it has no text, of its file's name. */
export function titleOf({ text, attachments = [] }: AskedQuestion): string {
  return titleFrom(text.trim() || (attachments[0]?.name ?? ''));
}
