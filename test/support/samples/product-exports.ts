/**
 * Exports of other products, written by public descriptions of their formats and by the code of their exporters. Every
 * word that a person saw has the form `w17`; other words are for programs or hidden.
 */
import { chatGptNode, chatGptText } from './foreign-exports.ts';

type Json = Record<string, unknown>;

const PNG = `data:image/png;base64,${'A'.repeat(500)}`;

/** A conversation of ChatGPT with one node for each message, one after the other. */
export function chatGptChat(messages: readonly Json[], more: Json = {}): Json[] {
  const nodes = messages.map((message, index) =>
    chatGptNode(`n${index}`, index === 0 ? null : `n${index - 1}`, message),
  );
  return [{ title: 'w1', mapping: Object.fromEntries(nodes), current_node: `n${messages.length - 1}`, ...more }];
}

export const toTool = (recipient: string, content: Json): Json => ({
  ...chatGptText('assistant', '', null),
  recipient,
  content,
});
export const fromTool = (name: string, content: Json, metadata: Json = {}): Json => ({
  ...chatGptText('tool', '', null),
  author: { role: 'tool', name },
  content,
  metadata,
});

const CHATGPT = chatGptChat([
  { ...chatGptText('system', 'w2', null) },
  {
    ...chatGptText('user', '', null),
    content: {
      content_type: 'multimodal_text',
      parts: [
        { content_type: 'image_asset_pointer', asset_pointer: 'sediment://file_1' },
        { content_type: 'audio_transcription', text: 'w3', direction: 'in' },
        {
          content_type: 'real_time_user_audio_video_asset_pointer',
          frames_asset_pointers: [],
          audio_asset_pointer: {},
        },
        'w4',
      ],
    },
    metadata: {
      attachments: [
        { id: 'file_1', name: 'w5.png', mime_type: 'image/png' },
        { id: 'file_2', name: 'w6.pdf', mime_type: 'application/pdf' },
      ],
    },
  },
  {
    ...chatGptText('assistant', '', null),
    content: { content_type: 'thoughts', thoughts: [{ summary: 'w7', content: 'w8' }] },
  },
  { ...chatGptText('assistant', '', null), content: { content_type: 'reasoning_recap', content: 'w9' } },
  toTool('web.run', { content_type: 'code', language: 'unknown', text: '{"search_query":[{"q":"w10"}]}' }),
  fromTool('web.run', {
    content_type: 'tether_quote',
    url: 'https://w11.test/',
    domain: 'w12',
    title: 'w13',
    text: 'w14',
  }),
  toTool('python', { content_type: 'code', language: 'unknown', text: 'print("w15")' }),
  fromTool(
    'python',
    { content_type: 'execution_output', text: 'w16' },
    { aggregate_result: { messages: [{ message_type: 'image' }] } },
  ),
  toTool('canmore.create_textdoc', {
    content_type: 'code',
    text: JSON.stringify({ name: 'w17', type: 'code/python', content: 'w18 = "w19"\nw20' }),
  }),
  fromTool('canmore.create_textdoc', { content_type: 'text', parts: ['w21'] }),
  toTool('canmore.update_textdoc', {
    content_type: 'code',
    text: JSON.stringify({ updates: [{ pattern: 'w22', replacement: 'w23' }] }),
  }),
  toTool('canmore.comment_textdoc', {
    content_type: 'code',
    text: JSON.stringify({ comments: [{ pattern: 'w24', comment: 'w25' }] }),
  }),
  fromTool('dalle.text2im', {
    content_type: 'multimodal_text',
    parts: [{ content_type: 'image_asset_pointer', metadata: { dalle: { prompt: 'w26' } } }],
  }),
  {
    ...chatGptText(
      'assistant',
      'w27 \uE200entity\uE202["people","w28","x"]\uE201 w29 \uE200cite\uE202turn0search0\uE201 【w30】 \uE200url\uE202w31\uE202https://w32.test/\uE201',
      null,
    ),
    metadata: {
      content_references: [
        {
          matched_text: '\uE200cite\uE202turn0search0\uE201',
          type: 'grouped_webpages',
          items: [
            {
              title: 'w33',
              url: 'https://w34.test/',
              supporting_websites: [{ title: 'w35', url: 'https://w36.test/' }],
            },
          ],
        },
        { matched_text: ' ', type: 'sources_footnote', sources: [{ title: 'w37', url: 'https://w38.test/' }] },
      ],
    },
  },
  { ...chatGptText('user', '', null), content: { content_type: 'hologram', frames: [{ caption: 'w39' }] } },
]);

const CLAUDE = [
  {
    uuid: '1',
    name: 'w1',
    chat_messages: [
      {
        uuid: 'a',
        sender: 'human',
        text: 'w2',
        content: [{ type: 'text', text: 'w2' }],
        attachments: [{ file_name: 'w3.txt', file_type: 'txt', extracted_content: 'w4' }],
        files: [{ file_name: 'w5.png' }],
        created_at: '2026-09-01T10:00:00Z',
      },
      {
        uuid: 'b',
        sender: 'assistant',
        text: '',
        content: [
          { type: 'thinking', thinking: 'w6' },
          {
            type: 'text',
            text: 'w7',
            citations: [{ end_index: 2, details: { type: 'web', url: 'https://w8.test/' } }],
          },
          {
            type: 'tool_use',
            name: 'artifacts',
            input: {
              command: 'create',
              id: 'x',
              type: 'application/vnd.ant.code',
              language: 'python',
              title: 'w9',
              content: 'w10\nw11',
            },
          },
          {
            type: 'tool_result',
            name: 'artifacts',
            content: [
              { type: 'text', text: 'w12' },
              { type: 'image', source: { type: 'base64', data: 'AAAA' } },
            ],
          },
          { type: 'tool_use', name: 'repl', input: { code: 'w13("w14")' } },
          { type: 'tool_use', name: 'web_search', input: { query: 'w15' } },
          { type: 'voice_note', title: 'w16', text: 'w17' },
          { type: 'poem', verses: ['w18', { line: 'w19' }] },
        ],
      },
    ],
  },
];

const LIBRE_CHAT = {
  conversationId: 'c',
  endpoint: 'openAI',
  title: 'w1',
  recursive: true,
  options: { promptPrefix: 'w2' },
  messagesTree: [
    {
      messageId: 'a',
      isCreatedByUser: true,
      sender: 'User',
      text: 'w3',
      files: [{ filename: 'w4.pdf', type: 'application/pdf' }],
      children: [
        {
          messageId: 'b',
          isCreatedByUser: false,
          sender: 'GPT',
          text: '',
          content: [
            { type: 'think', think: 'w5' },
            { type: 'text', text: { value: 'w6' } },
            { type: 'tool_call', tool_call: { name: 'search', args: '{"q":"w7"}', output: 'w8' } },
            {
              type: 'tool_call',
              tool_call: {
                type: 'code_interpreter',
                code_interpreter: { input: 'w9', outputs: [{ type: 'logs', logs: 'w10' }] },
              },
            },
            { type: 'image_file', image_file: { filename: 'w11.png', filepath: '/images/1.png' } },
            { type: 'error', error: 'w12' },
          ],
          children: [],
        },
        { messageId: 'c', isCreatedByUser: false, sender: 'GPT', text: 'w13', children: [] },
      ],
    },
  ],
};

const OPEN_WEBUI = [
  {
    id: 'o',
    title: 'w1',
    chat: {
      params: { system: 'w2' },
      history: {
        currentId: 'b',
        messages: {
          a: {
            parentId: null,
            role: 'user',
            content: 'w3',
            files: [
              { type: 'image', url: PNG },
              { type: 'file', name: 'w4.txt', file: { data: { content: 'w5' } } },
              { type: 'file', name: 'w6.zip' },
            ],
          },
          b: {
            parentId: 'a',
            role: 'assistant',
            content:
              '<details type="reasoning" done="true"><summary>Thought</summary>\n&gt; w7\n</details>\n<details type="tool_calls" name="search" arguments="&quot;{\\&quot;q\\&quot;: \\&quot;w8\\&quot;}&quot;" result="&quot;w9&quot;"><summary>Done</summary></details>\nw10 [1]\n<details type="code_interpreter" output="{&quot;stdout&quot;: &quot;w11&quot;}"><summary>Done</summary>\n```python\nw12\n```\n</details>',
            sources: [{ source: { name: 'w13', url: 'https://w14.test/' }, document: ['x'] }],
            error: { content: 'w15' },
          },
        },
      },
    },
  },
];

const LLAMA_SERVER = [
  {
    conv: { id: 'l', name: 'w1', currNode: 'b', lastModified: 1_784_818_601_133 },
    messages: [
      { id: 'r', type: 'root', role: 'system', content: '', parent: null },
      { id: 's', type: 'system', role: 'system', content: 'w2', parent: 'r' },
      {
        id: 'a',
        role: 'user',
        content: 'w3',
        parent: 's',
        timestamp: 1_784_818_601_158,
        extra: [
          { type: 'textFile', name: 'w4.txt', content: 'w5' },
          { type: 'imageFile', name: 'w6.png', base64Url: PNG },
          { type: 'audioFile', name: 'w7.mp3', base64Data: 'AAAA', mimeType: 'audio/mpeg' },
          { type: 'pdfFile', name: 'w8.pdf', content: 'w9', images: ['x'] },
        ],
      },
      {
        id: 't',
        role: 'assistant',
        content: '',
        reasoningContent: 'w10',
        toolCalls: JSON.stringify([{ id: 'k', function: { name: 'python', arguments: '{"code":"w11"}' } }]),
        parent: 'a',
      },
      { id: 'u', role: 'tool', toolCallId: 'k', content: 'w12', parent: 't' },
      { id: 'b', role: 'assistant', content: 'w13', parent: 'u', model: 'm' },
    ],
  },
];

const [LLAMA] = LLAMA_SERVER;
const LLAMA_LINES = [
  { type: 'session', harness: 'llama.app', ...LLAMA!.conv },
  ...LLAMA!.messages.map((message) => ({ type: 'message', message })),
]
  .map((line) => JSON.stringify(line))
  .join('\n');

const LM_STUDIO = {
  name: 'w1',
  createdAt: 1_760_000_000_000,
  systemPrompt: 'w2',
  lastUsedModel: { identifier: 'qwen' },
  messages: [
    {
      versions: [
        {
          type: 'singleStep',
          role: 'user',
          content: [
            { type: 'text', text: 'w3' },
            { type: 'file', fileIdentifier: 'w4.png', fileType: 'image', sizeBytes: 7 },
          ],
        },
      ],
      currentlySelected: 0,
    },
    {
      currentlySelected: 1,
      versions: [
        { type: 'singleStep', role: 'assistant', content: [{ type: 'text', text: 'w5' }] },
        {
          type: 'multiStep',
          role: 'assistant',
          steps: [
            {
              type: 'contentBlock',
              style: { type: 'thinking' },
              prefix: '<think>',
              suffix: '</think>',
              content: [{ type: 'text', text: 'w6' }],
            },
            {
              type: 'contentBlock',
              content: [
                {
                  type: 'toolCallRequest',
                  callId: '1',
                  name: 'run_javascript',
                  parameters: { javascript: 'x', code: 'w7' },
                },
              ],
            },
            {
              type: 'contentBlock',
              content: [{ type: 'toolCallResult', name: 'run_javascript', content: '{"stdout":"w8"}' }],
            },
            { type: 'debugInfoBlock', debugInfo: 'x' },
            { type: 'contentBlock', content: [{ type: 'text', text: 'w9' }] },
          ],
        },
      ],
    },
    {
      versions: [{ type: 'singleStep', role: 'user', content: [{ type: 'text', text: 'w10' }] }],
      currentlySelected: 0,
    },
  ],
};

const JAN = {
  title: 'w1',
  exported_at: '2026-10-01T10:00:00.000Z',
  messages: [
    { id: 'a', role: 'system', content: [{ type: 'text', text: { value: 'w2', annotations: [] } }] },
    {
      id: 'b',
      role: 'user',
      content: [
        { type: 'text', text: { value: 'w3' } },
        { type: 'image_url', image_url: { url: PNG } },
      ],
      created_at: 1_760_000_000,
    },
    {
      id: 'c',
      role: 'assistant',
      content: [
        { type: 'reasoning', text: { value: 'w4' } },
        { type: 'tool_call', tool_name: 'search', input: { query: 'w5' }, output: { hits: ['w6'] } },
        { type: 'text', text: { value: '<think>w7</think>w8' } },
      ],
      created_at: 1_760_000_001_000,
      metadata: {
        tool_calls: [
          {
            tool: { id: 'x', function: { name: 'search', arguments: '{"q":"w9"}' } },
            response: { content: [{ type: 'text', text: 'w10' }] },
          },
        ],
      },
    },
  ],
};
const JAN_LINES = JAN.messages
  .map((message) => JSON.stringify({ object: 'thread.message', thread_id: 't', ...message }))
  .join('\n');

const OLLAMA = [
  { role: 'user', content: 'w1', images: ['iVBORw0KGgo='] },
  {
    role: 'assistant',
    content: 'w2',
    thinking: 'w3',
    tool_calls: [{ function: { name: 'now', arguments: { zone: 'w4' } } }],
  },
  { role: 'tool', tool_name: 'now', content: 'w5' },
  { role: 'assistant', content: 'Hm w6.\n</think>\n\nw7' },
];

/** The text of a file of each product. */
export const PRODUCT_EXPORTS = {
  ChatGPT: JSON.stringify(CHATGPT),
  Claude: JSON.stringify(CLAUDE),
  LibreChat: JSON.stringify(LIBRE_CHAT),
  'Open WebUI': JSON.stringify(OPEN_WEBUI),
  'llama-server': JSON.stringify(LLAMA_SERVER),
  'llama-server (JSON lines)': LLAMA_LINES,
  'LM Studio': JSON.stringify(LM_STUDIO),
  Jan: JSON.stringify(JAN),
  'Jan (JSON lines)': JAN_LINES,
  'a list of messages': JSON.stringify(OLLAMA),
} as const;
