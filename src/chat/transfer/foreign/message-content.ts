import { inFence } from '../../../shared/in-fence.ts';
import { ThinkTags } from '../../api/think-tags.ts';
import type { Attachment } from '../../types/conversation.ts';
import { importStrings } from '../../strings/transfer-strings.ts';
import { NOTHING_LEFT_OUT, type LeftOut, type LeftOutKind } from '../left-out.ts';
import type { ForeignMessage } from './foreign-tree.ts';
import { joinTexts, linesIn } from './foreign-values.ts';
import { addDetails } from './details-in-text.ts';

/** Images that this page can show and send. */
const IMAGE = /^data:image\/(?:png|jpeg|webp|gif);base64,/;

/** Collects the content of one message of another product, and counts what cannot be kept. */
export class MessageContent {
  readonly #texts: string[] = [];
  readonly #thoughts: string[] = [];
  readonly #attachments: Attachment[] = [];
  #left: LeftOut = NOTHING_LEFT_OUT;
  readonly #isQuestion: boolean;
  readonly #hasDetails: boolean;

  /**
   * @param isQuestion Whether the message may have attachments. Those of answers become text.
   * @param hasDetails Whether its product keeps thinking and calls in the text, as Open WebUI does. Default: false.
   */
  constructor(isQuestion: boolean, hasDetails = false) {
    this.#isQuestion = isQuestion;
    this.#hasDetails = hasDetails;
  }

  /** Returns the message with its place in the chat. A message without content is left out. */
  toMessage(place: Pick<ForeignMessage, 'id' | 'parent' | 'model' | 'created'>): ForeignMessage {
    const role = this.isEmpty ? null : this.#isQuestion ? 'user' : 'assistant';
    return { ...place, role, text: this.text, thinking: this.thinking, attachments: this.#attachments };
  }

  get text(): string {
    return joinTexts(this.#texts);
  }

  get thinking(): string {
    return joinTexts(this.#thoughts);
  }

  get left(): LeftOut {
    return this.#left;
  }

  private get isEmpty(): boolean {
    return this.text + this.thinking === '' && this.#attachments.length === 0;
  }

  say(text: string): void {
    this.#texts.push(text);
  }

  /** Adds the text of an answer in which servers may have left thinking or calls of tools. */
  sayTagged(text: string): void {
    if (this.#isQuestion) return this.say(text);
    const tags = new ThinkTags();
    let [said, thought] = ['', ''];
    for (const piece of [...tags.split({ type: 'text', text }), ...tags.rest()]) {
      if (piece.type === 'text') said += piece.text;
      if (piece.type === 'thinking') thought += piece.text;
      if (piece.type === 'was-thinking') [said, thought] = ['', said];
    }
    this.think(thought);
    if (this.#hasDetails) addDetails(this, said);
    else this.say(said);
  }

  /** Adds to the folded part of an answer, which is not sent to models. A question has none, so there it is text. */
  think(text: string): void {
    (this.#isQuestion ? this.#texts : this.#thoughts).push(text);
  }

  /** Counts a part that is not in the file or cannot be kept; its name becomes text. */
  leaveOut(kind: LeftOutKind, name = '', count = 1): void {
    this.#left = { ...this.#left, [kind]: this.#left[kind] + count };
    if (name.trim() === '') return;
    const words = kind === 'images' ? importStrings.imageNamed(name) : importStrings.fileNamed(name);
    this.say(words);
  }

  /** Adds the text of a file. */
  attachText(name: string, text: string): void {
    if (this.#isQuestion) {
      const size = new TextEncoder().encode(text).length;
      this.#attachments.push({ id: crypto.randomUUID(), kind: 'text', part: 'whole', name, size, text });
    } else this.say(joinTexts([name, inFence(text)]));
  }

  /** Adds an image by its address, or counts it if the address has no image that this page can keep. */
  attachImage(name: string, address: string): void {
    // Some products give JPEG a type that does not exist.
    const url = address.replace(/^data:image\/jpg;/i, 'data:image/jpeg;');
    if (this.#isQuestion && IMAGE.test(url)) {
      const size = Math.floor(((url.length - url.indexOf(',')) * 3) / 4);
      this.#attachments.push({ id: crypto.randomUUID(), kind: 'image', name: name || importStrings.image, size, url });
    } else {
      this.leaveOut('images', name);
      if (/^https?:/.test(url)) this.say(url);
    }
  }

  /**
   * Adds a call of a tool. Programs and documents are part of the answer, as blocks; other calls, such as searches, are
   * part of the thinking.
   */
  call(name: string, input: unknown): void {
    const { title, program, language } = programIn(name, input);
    if (program !== null) this.say(joinTexts([title, inFence(program, language)]));
    else this.think(joinTexts([name, block(linesIn(input))]));
  }

  /** Adds what a tool has returned: after a program a part of the answer, otherwise of the thinking. */
  result(name: string, output: unknown): void {
    const words = block(typeof output === 'string' ? output : linesIn(output));
    if (RUNS_PROGRAMS.test(name)) this.say(words);
    else this.think(words);
  }
}

function block(text: string): string {
  return text.trim() === '' ? '' : inFence(text);
}

/** Names of tools that run programs. */
const RUNS_PROGRAMS = /python|code|exec|bash|shell|terminal|repl|analysis|interpreter|javascript/i;

/** Fields in which tools get a program or a document, the most usual first. */
const PROGRAMS = ['code', 'script', 'source', 'file_text', 'content', 'new_str', 'cmd', 'command'];

interface Program {
  readonly title: string;
  /** Null if the call has none. */
  readonly program: string | null;
  readonly language: string;
}

function programIn(name: string, input: unknown): Program {
  const language = languageOf(name);
  if (typeof input === 'string') return { title: '', program: RUNS_PROGRAMS.test(name) ? input : null, language };
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return { title: '', program: null, language };
  const fields = input as Readonly<Record<string, unknown>>;
  const found = PROGRAMS.map((field) => [field, commandOf(fields[field])] as const).find(([, text]) => text !== '');
  if (found === undefined) return { title: '', program: null, language };
  const [field, program] = found;
  const rest = Object.entries(fields).filter(
    ([key]) => key !== field && key !== 'language' && !/(?:^|_)(?:id|uuid)$/.test(key),
  );
  const declared = commandOf(fields['language']) || languageOf(commandOf(fields['type']));
  return { title: linesIn(Object.fromEntries(rest)), program, language: declared || language };
}

/** A command may be a list of words. */
function commandOf(value: unknown): string {
  const words = Array.isArray(value) ? value : [value];
  return words.every((word) => typeof word === 'string') ? words.join(' ') : '';
}

function languageOf(name: string): string {
  const [, declared] = /^code\/([\w+#-]+)$/.exec(name) ?? [];
  if (declared !== undefined) return declared;
  return /python/i.test(name)
    ? 'python'
    : /bash|shell|exec/i.test(name)
      ? 'sh'
      : /javascript|repl/i.test(name)
        ? 'js'
        : '';
}
