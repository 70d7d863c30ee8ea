import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import * as ai from 'ai';
import { aiSdkChatClient } from '../../support/clients/ai-sdk-chat-client.ts';
import { ENDLESS } from '../../support/clients/chat-client.ts';

export const { complete, stream, abort, useTool, structured, failure, retry } = aiSdkChatClient(
  ai,
  ({ model, fetch }) =>
    createOpenAICompatible({
      name: 'tabserve',
      apiKey: 'local',
      baseURL: `${location.origin}/v1`,
      includeUsage: true,
      supportsStructuredOutputs: true,
      fetch,
    })(model),
  ENDLESS,
);
