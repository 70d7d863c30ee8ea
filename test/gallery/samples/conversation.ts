import {
  DEFAULT_SETTINGS,
  type Answer,
  type Conversation,
  type Question,
} from '../../../src/chat/types/conversation.ts';

export function sampleConversation(changes: Partial<Conversation> = {}): Conversation {
  return {
    id: 'c1',
    title: 'A title',
    pinned: false,
    created: 1,
    updated: 2,
    leaf: 'a1',
    settings: DEFAULT_SETTINGS,
    ...changes,
  };
}

export function sampleQuestion(changes: Partial<Question> = {}): Question {
  return { id: 'q1', conversation: 'c1', parent: null, created: 1, role: 'user', text: 'Why?', ...changes };
}

export function sampleAnswer(changes: Partial<Answer> = {}): Answer {
  return {
    id: 'a1',
    conversation: 'c1',
    parent: 'q1',
    created: 2,
    role: 'assistant',
    model: 'pocket',
    text: 'Because.',
    thinking: '',
    state: 'complete',
    finishReason: 'stop',
    error: null,
    settings: DEFAULT_SETTINGS,
    seed: 7,
    promptTokens: 3,
    completionTokens: 4,
    timeToFirstToken: 120.5,
    tokensPerSecond: 20,
    ...changes,
  };
}
