import type { AddedToken } from '../../answer/unwanted-tokens.ts';
import type { ThinkingMarkers } from '../../answer/thinking-splitter.ts';
import type { TemplateMessage } from '../../prompt/template-message.ts';
import type { ChatTemplate } from './chat-template.ts';

/** What a chat template says about the answers of its model. */
export interface TemplateMarks {
  /** Marks around thinking; null if the template knows none. */
  readonly thinking: ThinkingMarkers | null;
  /** Whether answers consist of messages in channels, in OpenAI's format Harmony. */
  readonly hasChannels: boolean;
  /** Ids of the tokens that the template writes within an answer without calls. */
  readonly inAnswer: ReadonlySet<number>;
  /** Ids of those among them that stand around the text of an answer and say nothing else. */
  readonly aroundText: ReadonlySet<number>;
  /** Ids of the tokens that the template writes within an answer with calls, or between the calls. */
  readonly inCalls: ReadonlySet<number>;
}

/** With these words Apriel begins to think, and with the second ones its answer. */
const APRIEL = { open: 'Here are my reasoning steps:', close: '[BEGIN FINAL RESPONSE]' };

/**
 * Marks around thinking by family: Granite 3.3, Qwen and most others, Mistral, Cohere, Gemma 4, Seed, Kimi, Apertus, MiniMax M3,
 * Apriel 1.5 and 1.6.
 */
const THINKING: readonly ThinkingMarkers[] = [
  { open: '<think>', close: '</think>', answer: { open: '<response>', close: '</response>' } },
  { open: '<think>', close: '</think>' },
  { open: '[THINK]', close: '[/THINK]' },
  { open: '<|START_THINKING|>', close: '<|END_THINKING|>' },
  { open: '<|channel>thought', close: '<channel|>' },
  { open: '<seed:think>', close: '</seed:think>' },
  { open: '◁think▷', close: '◁/think▷' },
  { open: '<|inner_prefix|>', close: '<|inner_suffix|>' },
  { open: '<thought>', close: '</thought>' },
  { open: '<mm:think>', close: '</mm:think>' },
  { ...APRIEL, answer: { open: '', close: '[END FINAL RESPONSE]' } },
  { ...APRIEL, answer: { open: '', close: '<|end|>' } },
];

/** Tokens of Harmony within an answer: each message of it has a beginning, a channel and an end. */
const CHANNELS = ['<|start|>', '<|channel|>', '<|constrain|>', '<|message|>', '<|end|>'];

/** Tokens around the text of an answer: those of Cohere. */
const AROUND_TEXT = ['<|START_RESPONSE|>', '<|END_RESPONSE|>', '<|START_TEXT|>', '<|END_TEXT|>'];

const USER: TemplateMessage = { role: 'user', content: 'Question' };
const CALLING: TemplateMessage = {
  role: 'assistant',
  content: '',
  tool_calls: [{ id: 'abcdefghi', type: 'function', function: { name: 'look', arguments: { at: 'sky' } } }],
};
const TOOL = {
  type: 'function',
  function: { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: { at: {} } } },
} as const;

/**
 * Finds the marks of answers in what a template writes for an answer, and in its source.
 * @param template Null if it cannot be rendered. Then only its source is read.
 */
export function templateMarks(
  source: string,
  template: ChatTemplate | null,
  added: readonly AddedToken[],
): TemplateMarks {
  const hasChannels = source.includes('<|channel|>') && source.includes('<|message|>');
  // MiniMax M2 has these marks of answers around results.
  const isKnown = ({ close, answer }: ThinkingMarkers) =>
    source.includes(close) && (answer === undefined || source.includes(answer.open + answer.close));
  const thinking = hasChannels ? null : (THINKING.find(isKnown) ?? null);
  const answer =
    template === null
      ? ''
      : turnText(template, [{ role: 'assistant', content: 'Answer', reasoning_content: 'Thought' }]);
  const calls = template === null ? '' : turnText(template, [CALLING, CALLING]);
  const around = AROUND_TEXT.filter((mark) => source.includes(mark));
  const { open = '', close = '', answer: frame } = thinking ?? {};
  const marks = [...(hasChannels ? CHANNELS : []), open, close, frame?.open ?? '', frame?.close ?? '', ...around];
  const tokensIn = (text: string) => new Set(added.filter((token) => text.includes(token.text)).map(({ id }) => id));
  const inAnswer = tokensIn([answer, ...marks].join('\n'));
  // Between two turns with calls stands the header of a turn, which is no part of an answer.
  const outside = tokensIn(template?.render({ messages: [USER], tools: [], thinking: null }) ?? '');
  const inCalls = new Set([...tokensIn(calls)].filter((id) => inAnswer.has(id) || !outside.has(id)));
  return { thinking, hasChannels, inAnswer, aroundText: tokensIn(around.join('\n')), inCalls };
}

/** Returns what a template writes for turns of the assistant, without their header; empty if it refuses them. */
function turnText(template: ChatTemplate, turns: readonly TemplateMessage[]): string {
  const tools = turns.some(({ tool_calls }) => tool_calls) ? [TOOL] : [];
  for (const some of [turns, turns.slice(0, 1)]) {
    try {
      const before = template.render({ messages: [USER], tools, thinking: null });
      const after = template.render({ messages: [USER, ...some], tools, thinking: null, opensAnswer: false });
      let same = 0;
      while (same < before.length && before[same] === after[same]) same++;
      return after.slice(same);
    } catch {
      // The template refuses two calls in a row, or calls at all.
    }
  }
  return '';
}
