import type { ChatCompletionRequest } from '../types/chat-completion-request.ts';
import type { ApiErrorCode } from '../../shared/api-error.ts';
import type { FinishReason } from '../../shared/engine/completion-event.ts';

/** What a model may be given beside words, each by the person's choice. */
export const TOOL_NAMES = ['calculate', 'current_time', 'search_chats', 'run_javascript'] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

/** Whether a name, which a model wrote, is that of a tool. */
export function isToolName(name: string): name is ToolName {
  return (TOOL_NAMES as readonly string[]).includes(name);
}

/** Allows a tool to run without a question, as long as its results go to one engine. */
interface ToolGrant {
  readonly tool: ToolName;
  /** The value of {@link Answer.engine}: results that stay on this device must not start to leave it. */
  readonly engine: string;
}

/** How one conversation asks the model. `null` means: the model's own default. */
export interface ConversationSettings {
  /** Id of the model to ask; null means whichever was chosen last on this device. */
  readonly model: string | null;
  readonly systemPrompt: string;
  /** 0…2, 0 always takes the likeliest token. */
  readonly temperature: number | null;
  /** 0…1. */
  readonly topP: number | null;
  /** Most tokens of one answer, at least 1. */
  readonly maxTokens: number | null;
  /** An integer makes answers repeatable; null draws a new one for each answer. */
  readonly seed: number | null;
  /** At most four texts that end an answer where they occur. */
  readonly stop: readonly string[];
  /** −2…2. */
  readonly presencePenalty: number | null;
  /** −2…2. */
  readonly frequencyPenalty: number | null;
  /** A JSON Schema as text that every answer must follow; empty means free text. */
  readonly jsonSchema: string;
  /** Tools that the model may ask for. Default: none. */
  readonly tools?: readonly ToolName[] | undefined;
  /** Tools that run without a question. Default: none. Files and copies of a chat never carry any. */
  readonly allowedTools?: readonly ToolGrant[] | undefined;
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
  /** Milliseconds since 1970 of the last question or answer; the list is sorted by it. */
  readonly updated: number;
  /** The message at the end of the branch that is shown; null while there is none. */
  readonly leaf: string | null;
  readonly settings: ConversationSettings;
}

interface MessageBase {
  readonly id: string;
  /** Id of the conversation. */
  readonly conversation: string;
  /** The message this one follows; null for a first question. Several with one parent are branches. */
  readonly parent: string | null;
  /** Milliseconds since 1970; never equal for two children of one parent. */
  readonly created: number;
}

interface AttachmentBase {
  readonly id: string;
  /** Name of the file, as it was given: it may hold anything. */
  readonly name: string;
  /** Bytes of the file. */
  readonly size: number;
}

/** How much of a file's text the model is given: all, its beginning, or passages that fit the question. */
export const ATTACHED_PARTS = ['whole', 'beginning', 'passages'] as const;
export type AttachedPart = (typeof ATTACHED_PARTS)[number];

/** A file that goes with a question, as the model is given it: the file itself is not kept. */
export type Attachment =
  | (AttachmentBase & { readonly kind: 'text'; readonly part: AttachedPart; readonly text: string })
  /** `url` is a `data:` address. */
  | (AttachmentBase & { readonly kind: 'image'; readonly url: string });

export interface Question extends MessageBase {
  readonly role: 'user';
  /** May be empty where there are attachments. */
  readonly text: string;
  readonly attachments?: readonly Attachment[] | undefined;
}

/** What is asked: a question before it has a place in a conversation. */
export type AskedQuestion = Pick<Question, 'text' | 'attachments'>;

/**
 * `running`: a tab is writing it, and holds {@link answerLockName} while it does. `stopped`: the person
 * stopped it. `interrupted`: the tab that wrote it went away, and its stream is lost. `failed`: `error` says why.
 */
export const ANSWER_STATES = ['running', 'complete', 'stopped', 'interrupted', 'failed'] as const;
type AnswerState = (typeof ANSWER_STATES)[number];

interface AnswerError {
  readonly code: ApiErrorCode;
  readonly message: string;
}

/** `writing`: the model writes it still. `waiting`: for the person's word. */
export const TOOL_OUTCOMES = ['writing', 'waiting', 'running', 'done', 'failed', 'refused'] as const;

/** A model's call of a tool. */
export interface ToolCall {
  /** Made by this page. The ids that servers choose may occur twice in an answer, and consent is bound to a call. */
  readonly id: string;
  /** By which the stream names the call while it is written: its index, and the id that the server chose. */
  readonly source?: { readonly index: number; readonly id: string } | undefined;
  /** As the model wrote it. */
  readonly name: string;
  /** JSON, as the model wrote it. */
  readonly arguments: string;
  readonly outcome: (typeof TOOL_OUTCOMES)[number];
  /** What the model was told; empty until then. */
  readonly result: string;
}

/** Calls that were made together, with what the model said before them. */
export interface ToolRound {
  readonly text: string;
  readonly calls: readonly ToolCall[];
}

/** How to go on with an answer whose page went away while it was written. */
export interface AnswerStream {
  /** Name of the stream, by which the engine knows it. */
  readonly id: string;
  /** Number of the last event that the answer holds, −1 for none. */
  readonly lastEvent: number;
  /** What was asked: only the same request gets the same stream. */
  readonly request: ChatCompletionRequest;
}

export interface Answer extends MessageBase {
  readonly role: 'assistant';
  /** Model id that was asked, then the one that answered. */
  readonly model: string;
  /** Where it was made: `local`, or `upstream:` and a name. Absent in answers of older builds, null before the first word. */
  readonly engine?: string | null | undefined;
  /** Id of the answer of another model that it is to be compared with: both are shown, side by side. Default: none. */
  readonly beside?: string | undefined;
  readonly text: string;
  /** What the model thought before it answered; empty for models that do not think. */
  readonly thinking: string;
  /** What was called before the text. */
  readonly rounds?: readonly ToolRound[] | undefined;
  readonly state: AnswerState;
  /** While it is written, where it can be gone on with. */
  readonly stream?: AnswerStream | undefined;
  readonly finishReason: FinishReason | null;
  readonly error: AnswerError | null;
  /** What it was asked with, so that it can be continued exactly. */
  readonly settings: ConversationSettings;
  /** The seed that was sent, whoever chose it. */
  readonly seed: number;
  readonly promptTokens: number | null;
  /** While it is written, and for one that did not come to its end, as many as have come. */
  readonly completionTokens: number | null;
  /** Milliseconds from the request to the first piece of text. */
  readonly timeToFirstToken: number | null;
  /** Milliseconds from the first thought to the last. Absent in answers of older builds. */
  readonly thinkingTime?: number | null | undefined;
  /** Tokens a second after the first. */
  readonly tokensPerSecond: number | null;
}

export type Message = Question | Answer;

/** What computed a vector. Nothing tells the version of a model's weights, so the beginning of a sample's vector stands for it. */
export interface EmbeddingWeights {
  /** Id of the model. */
  readonly model: string;
  readonly sample: Float32Array<ArrayBuffer>;
}

/** What a message means, by which it is found: the vectors of the passages of its text. */
export interface MessageVectors extends Omit<EmbeddingWeights, 'sample'> {
  /** Absent in those of older builds. */
  readonly sample?: EmbeddingWeights['sample'];
  readonly passages: readonly Float32Array<ArrayBuffer>[];
}

/** As it lies in the database: whoever writes a message anew drops its vectors, which were those of another text. */
export type StoredMessage = Message & { readonly vectors?: MessageVectors };

/** A question in its place. */
export function newQuestion(asked: AskedQuestion & Pick<Question, 'conversation' | 'parent' | 'created'>): Question {
  return { ...asked, id: crypto.randomUUID(), role: 'user' };
}

/** An answer before its first word. Without a seed among its settings it draws one. */
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
    // An integer of 31 bits, which every reader of JSON keeps exactly.
    seed: asked.settings.seed ?? crypto.getRandomValues(new Uint32Array(1))[0]! >>> 1,
    promptTokens: null,
    completionTokens: null,
    timeToFirstToken: null,
    tokensPerSecond: null,
  };
}

/** The engine that writes an answer: `local`, or `upstream:` and a name. Answers of older builds are local. */
export function engineOf({ engine }: Pick<Answer, 'engine'>): string {
  return engine ?? 'local';
}

/** Name of the Web Lock that a tab holds while it writes an answer: its sign of life. */
export function answerLockName(id: string): string {
  return `tabserve-answer-${id}`;
}

/** The beginning of a first question, cut at a word: what a conversation is called until it is renamed. */
export function titleFrom(question: string): string {
  const line = question.trim().replace(/\s+/g, ' ');
  if (line.length <= 60) return line;
  const cut = line.slice(0, 60);
  const end = cut.lastIndexOf(' ');
  // Not in the middle of a character of two units.
  return `${cut.slice(0, end > 30 ? end : 60).replace(/\p{Cs}/gu, '')}…`;
}

/** What a conversation is called after its first question, or after the file that is all of it. */
export function titleOf({ text, attachments = [] }: AskedQuestion): string {
  return titleFrom(text === '' ? (attachments[0]?.name ?? '') : text);
}
