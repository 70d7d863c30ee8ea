import { importStrings } from '../strings/transfer-strings.ts';
import { DEFAULT_SETTINGS, emptyAnswer, newQuestion, type Attachment, type Message } from '../types/conversation.ts';
import { jsonOf, textOf } from '../../shared/json-values.ts';
import { NOTHING_LEFT_OUT } from './left-out.ts';
import { fromFile, readHeading, unquote } from './markdown-form.ts';
import { takeSources } from './markdown-sources.ts';
import { takeToolRounds } from './markdown-tool-calls.ts';
import type { ReadConversation } from './read-conversation.ts';
import { stableId } from './stable-id.ts';

/** Matches what the export tells at the end of the file about what it left out. */
const LEFT_OUT = /\n<!-- tabserve: left out, images: (\d+)(?:, branches: (\d+))? -->\n\n\*[^\n]*\*\s*$/;

/** Reads a chat that this page has exported as Markdown: title, system prompt, questions, answers and tool calls. */
export function readConversationMarkdown(file: string): ReadConversation {
  const text = file.replace(/\r\n?/g, '\n');
  const [, images = '0', branches = '0'] = LEFT_OUT.exec(text) ?? [];
  const left = { ...NOTHING_LEFT_OUT, images: Number(images), branches: Number(branches) };
  const [head, ...sections] = sectionsOf(text.replace(LEFT_OUT, '\n'));
  if (head === undefined || sections.length === 0) return { whole: 'empty', left };
  const [title = ''] = head.text.split('\n', 1);
  const below = head.text.slice(title.length);
  const id = stableId(text);
  const created = Date.now();
  const messages: Message[] = [];
  for (const [index, { model, text }] of sections.entries()) {
    const place = { conversation: id, parent: messages.at(-1)?.id ?? null, created: created + index };
    const message = model === null ? questionOf(text, place) : answerOf(text, { ...place, model });
    messages.push({ ...message, id: stableId(`${id} ${index}`) });
  }
  const conversation = {
    id,
    title:
      title
        .replace(/^#/, '')
        .trim()
        .slice(0, 200)
        .replace(/\p{Cs}/gu, '') || importStrings.untitled,
    pinned: false,
    created,
    updated: created,
    leaf: messages.at(-1)!.id,
    settings: { ...DEFAULT_SETTINGS, systemPrompt: unquote(below) },
  };
  return { whole: { conversation, messages }, left };
}

interface Section {
  /** Null for questions, and for the head of the file. */
  readonly model: string | null;
  readonly text: string;
}

function sectionsOf(text: string): readonly Section[] {
  const sections: { readonly model: string | null; readonly lines: string[] }[] = [{ model: null, lines: [] }];
  for (const line of text.split('\n')) {
    const heading = readHeading(line);
    if (heading === null) sections.at(-1)!.lines.push(line);
    else sections.push({ ...heading, lines: [] });
  }
  return sections.map(({ model, lines }) => ({ model, text: lines.join('\n') }));
}

type Place = Pick<Message, 'conversation' | 'parent' | 'created'>;

function questionOf(body: string, place: Place): Message {
  const { attachments, text } = takeFiles(fromFile(body));
  return newQuestion({ ...place, text, ...(attachments.length > 0 && { attachments }) });
}

function answerOf(body: string, place: Place & { readonly model: string }): Message {
  const [block = '', thinking = ''] =
    /^\s*<details>\n<summary>.*<\/summary>\n([^]*?)\n<\/details>(?=\n|$)/.exec(body) ?? [];
  const answer = emptyAnswer({ ...place, settings: DEFAULT_SETTINGS });
  const { rounds, rest } = takeToolRounds(body.slice(block.length));
  const { sources, rest: text } = takeSources(rest);
  return {
    ...answer,
    text: fromFile(text),
    thinking: fromFile(thinking),
    ...(rounds.length > 0 && { rounds }),
    ...(sources && { sources }),
    state: 'complete',
    finishReason: 'stop',
    seed: 0,
  };
}

const PARTS = { 'Attached file': 'whole', 'Beginning of the attached file': 'beginning' } as const;

/** Matches a file as `questionText` writes it. */
const FILE =
  /^(Attached file|Beginning of the attached file|Passages that fit the question, of the attached file) ("(?:[^"\\\n]|\\.)*"):\n(`{3,})\w*\n([^]*?)\n\3(?:\n\n|$)/;

/** Takes the attached texts off the beginning of a question. */
function takeFiles(question: string): { readonly attachments: readonly Attachment[]; readonly text: string } {
  const attachments: Attachment[] = [];
  let text = question;
  for (let found = FILE.exec(text); found !== null; found = FILE.exec(text)) {
    const [whole, introduction = '', name = '""', , content = ''] = found;
    attachments.push({
      id: crypto.randomUUID(),
      kind: 'text',
      part: PARTS[introduction as keyof typeof PARTS] ?? 'passages',
      name: textOf(jsonOf(name)) || name,
      size: new TextEncoder().encode(content).length,
      text: content,
    });
    text = text.slice(whole.length);
  }
  return { attachments, text };
}
