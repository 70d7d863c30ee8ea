/**
 * Export files of other products, written by public descriptions of their formats: ids, times in seconds, trees with
 * branches, and content that is not imported (system messages, tools, images).
 */

type Json = Record<string, unknown>;

/** A node of ChatGPT's `mapping`. */
export function chatGptNode(id: string, parent: string | null, message: Json | null): [string, Json] {
  return [id, { id, message: message && { id, ...message }, parent, children: [] }];
}

/** A message in ChatGPT's export. */
export function chatGptText(role: string, text: string, time: number | null, more: Json = {}): Json {
  return {
    author: { role, name: null, metadata: {} },
    create_time: time,
    update_time: null,
    content: { content_type: 'text', parts: [text] },
    status: 'finished_successfully',
    end_turn: true,
    weight: 1,
    metadata: role === 'assistant' ? { model_slug: 'gpt-4o' } : {},
    recipient: 'all',
    channel: null,
    ...more,
  };
}

const tool = (type: string): Json => ({ content: { content_type: type, text: 'ran' }, recipient: 'python' });

const TIME = 1_736_209_400.5;

/** Contains an edited question, a regenerated answer, thinking, a web search, and an image. */
export function chatGptExport(): Json[] {
  const mapping = Object.fromEntries([
    chatGptNode('client-created-root', null, null),
    chatGptNode('system', 'client-created-root', chatGptText('system', '', null, { weight: 0 })),
    chatGptNode('about-me', 'system', {
      ...chatGptText('user', '', null),
      content: { content_type: 'user_editable_context', user_profile: 'A sailor', user_instructions: 'Be brief' },
      metadata: { is_visually_hidden_from_conversation: true },
    }),
    chatGptNode('question-1', 'about-me', chatGptText('user', 'What is a lighthouse?', TIME)),
    chatGptNode('answer-1', 'question-1', chatGptText('assistant', 'A tower with a lamp.', TIME + 1)),
    chatGptNode('answer-1b', 'question-1', chatGptText('assistant', 'It guides **ships**.', TIME + 9)),
    chatGptNode('question-2', 'answer-1b', {
      ...chatGptText('user', '', TIME + 20),
      content: {
        content_type: 'multimodal_text',
        parts: [
          { content_type: 'image_asset_pointer', asset_pointer: 'file-service://file-1', width: 10, height: 10 },
          'How tall is this one?',
        ],
      },
      metadata: { attachments: [{ id: 'file-1', name: 'tower.png', mime_type: 'image/png' }] },
    }),
    chatGptNode('thoughts', 'question-2', {
      ...chatGptText('assistant', '', TIME + 21),
      content: { content_type: 'thoughts', thoughts: [{ summary: 'Looking', content: 'It has nine windows.' }] },
    }),
    chatGptNode('call', 'thoughts', chatGptText('assistant', '', TIME + 22, tool('code'))),
    chatGptNode('output', 'call', chatGptText('tool', '', TIME + 23, tool('execution_output'))),
    chatGptNode(
      'answer-2',
      'output',
      chatGptText('assistant', 'Thirty metres.\uE200cite\uE202turn0search1\uE201', TIME + 24),
    ),
    chatGptNode('question-2b', 'answer-1b', chatGptText('user', 'And at night?', TIME + 40)),
  ]);
  return [
    {
      title: 'Lighthouses',
      create_time: TIME,
      update_time: TIME + 60,
      mapping,
      current_node: 'answer-2',
      conversation_id: '8f3a2b1c-0000-4000-8000-000000000001',
      id: '8f3a2b1c-0000-4000-8000-000000000001',
      default_model_slug: 'gpt-4o',
      is_archived: false,
      moderation_results: [],
    },
    {
      title: 'Nothing yet',
      create_time: TIME,
      update_time: TIME,
      mapping: Object.fromEntries([chatGptNode('root', null, null)]),
      current_node: 'root',
      conversation_id: '8f3a2b1c-0000-4000-8000-000000000002',
    },
  ];
}

/** Contains two answers of two models, thinking and a tool call in the text, a file, and a pinned chat. */
export function openWebUiExport(): Json[] {
  const answer = [
    '<details type="reasoning" done="true" duration="3">',
    '<summary>Thought for 3 seconds</summary>',
    '&gt; Flour &amp; water.',
    '</details>',
    '<details type="tool_calls" done="true" name="search" arguments="{}"><summary>Tool Executed</summary></details>',
    'Bake it for **forty** minutes.',
  ].join('\n');
  const messages = {
    u1: {
      id: 'u1',
      parentId: null,
      childrenIds: ['a1', 'a2'],
      role: 'user',
      content: 'How do I bake bread?',
      timestamp: 1_760_360_854,
      models: ['llama3.2:3b', 'qwen3:4b'],
      files: [{ type: 'file', name: 'recipe.pdf' }],
    },
    a1: {
      id: 'a1',
      parentId: 'u1',
      childrenIds: [],
      role: 'assistant',
      content: answer,
      model: 'llama3.2:3b',
      modelName: 'Llama 3.2',
      timestamp: 1_760_360_860,
      done: true,
    },
    a2: {
      id: 'a2',
      parentId: 'u1',
      childrenIds: [],
      role: 'assistant',
      content: 'In a hot oven.',
      model: 'qwen3:4b',
      timestamp: 1_760_360_861,
      done: true,
    },
  };
  return [
    {
      id: '3cd6f38c-effc-4038-948a-000000000001',
      user_id: 'e12c1cb7-f768-42a5-bb45-000000000001',
      title: '🍞 Bread',
      chat: {
        id: '',
        title: '🍞 Bread',
        models: ['llama3.2:3b', 'qwen3:4b'],
        params: { system: 'You are a baker.' },
        history: { messages, currentId: 'a1' },
        messages: [],
        tags: [],
        timestamp: 1_760_360_854_123,
      },
      updated_at: 1_760_360_870,
      created_at: 1_760_360_854,
      share_id: null,
      archived: false,
      pinned: true,
      meta: {},
      folder_id: null,
    },
  ];
}
