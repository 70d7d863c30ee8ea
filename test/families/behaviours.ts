import type { ChatMessage, CompletionRequest, Tool } from '../../src/shared/engine/completion-request.ts';

/** A request whose rendering is tried with each family. The words of its texts are unique: each must be in the prompt. */
export interface Behaviour {
  readonly name: string;
  readonly request: Pick<CompletionRequest, 'messages'> & Partial<CompletionRequest>;
}

const TOOL: Tool = {
  name: 'forecast',
  description: 'wordtool of a "town"',
  parameters: {
    type: 'object',
    properties: {
      town: { type: 'string', description: 'Name' },
      days: { type: 'integer' },
      unit: { type: 'string', enum: ['C', 'F'] },
    },
    required: ['town'],
  },
};

const user = (content: string): ChatMessage => ({ role: 'user', content });
const system = (content: string): ChatMessage => ({ role: 'system', content });
const assistant = (content: string, ...towns: readonly string[]): ChatMessage => ({
  role: 'assistant',
  content,
  toolCalls: towns.map((town) => ({
    id: `call_${town}`,
    name: 'forecast',
    arguments: JSON.stringify({ ...(town !== '' && { town }), days: 86_421, deep: { a: [true, 1.5] } }),
  })),
});
const result = (town: string, content: string): ChatMessage => ({ role: 'tool', toolCallId: `call_${town}`, content });

const tools = [TOOL];

/** The columns of the table that are about conversations. */
export const BEHAVIOURS: readonly Behaviour[] = [
  { name: 'no system message', request: { messages: [user('wordone')] } },
  { name: 'system message first', request: { messages: [system('wordsys'), user('wordone')] } },
  {
    name: 'system message in the middle',
    request: { messages: [user('wordone'), assistant('wordtwo'), system('wordsys'), user('wordthree')] },
  },
  { name: 'two users', request: { messages: [user('wordone'), user('wordtwo')] } },
  { name: 'assistant first', request: { messages: [assistant('wordone'), user('wordtwo')] } },
  {
    name: 'two assistants',
    request: { messages: [user('wordone'), assistant('wordtwo'), assistant('wordthree'), user('wordfour')] },
  },
  { name: 'assistant last', request: { messages: [user('wordone'), assistant('wordtwo')] } },
  { name: 'empty text', request: { messages: [user('')] } },
  { name: 'tools', request: { tools, messages: [user('wordone')] } },
  {
    name: 'one result',
    request: { tools, messages: [user('wordone'), assistant('', 'wordtown'), result('wordtown', 'wordres')] },
  },
  {
    name: 'text beside a call',
    request: {
      tools,
      messages: [user('wordone'), assistant('wordtwo', 'wordtown'), result('wordtown', 'wordres'), user('wordthree')],
    },
  },
  {
    name: 'two results',
    request: {
      tools,
      messages: [
        user('wordone'),
        assistant('', 'wordtown', 'wordcity'),
        result('wordtown', 'wordres'),
        result('wordcity', 'wordother'),
      ],
    },
  },
  {
    name: 'results without tools',
    request: { messages: [user('wordone'), assistant('', 'wordtown'), result('wordtown', 'wordres')] },
  },
  {
    name: 'arguments without a text',
    request: {
      tools: [{ name: 'forecast', description: null, parameters: { type: 'object', properties: {} } }],
      messages: [user('wordone'), assistant('', ''), result('', 'wordres')],
    },
  },
  { name: 'thinking off', request: { messages: [user('wordone')], thinking: false } },
];

/** Returns the words that the prompt for a request must contain. */
export function wordsOf(request: Behaviour['request']): readonly string[] {
  return [...new Set(JSON.stringify([request.messages, request.tools ?? []]).match(/word[a-z]+|86421/g) ?? [])];
}

/** Returns the input of a template as the library transformers makes it of the same request. */
export function nativeInput({ messages, tools = [], thinking = null }: Behaviour['request']): object {
  return {
    messages: messages.map((message) => {
      if (message.role === 'assistant') {
        const calls = message.toolCalls.map(({ id, name, arguments: text }) => ({
          id,
          type: 'function',
          function: { name, arguments: JSON.parse(text) as unknown },
        }));
        return { role: 'assistant', content: message.content, ...(calls.length > 0 && { tool_calls: calls }) };
      }
      if (message.role === 'user' && typeof message.content !== 'string') {
        const content = message.content.map((part) => (part.type === 'text' ? part : { type: 'image' }));
        return { role: 'user', content };
      }
      if (message.role !== 'tool') return message;
      return { role: 'tool', content: message.content, tool_call_id: message.toolCallId, name: 'forecast' };
    }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function',
        function: { name, ...(description !== null && { description }), parameters },
      })),
    }),
    ...(thinking !== null && { enable_thinking: thinking, thinking }),
    bos_token: '<s>',
    eos_token: '</s>',
    add_generation_prompt: true,
  };
}
