import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import * as ai from 'ai';
import { aiSdkChatClient, compatibleSettings } from '../../support/clients/ai-sdk-chat-client.ts';
import { ENDLESS } from '../../support/clients/chat-client.ts';

export const { complete, stream, abort, useTool, structured, failure, retry } = aiSdkChatClient(
  ai,
  (options) => createOpenAICompatible(compatibleSettings(options))(options.model),
  ENDLESS,
);
