import type * as Ai6 from 'ai';
import { createOpenAICompatible } from 'ai-sdk-openai-compatible3';
import * as ai from 'ai7';
import { aiSdkChatClient, compatibleSettings } from '../../support/clients/ai-sdk-chat-client.ts';
import { ENDLESS } from '../../support/clients/chat-client.ts';

// The types of the two versions differ in parts that the client does not use.
export const { complete, stream, abort, useTool, structured, failure, retry } = aiSdkChatClient(
  ai as unknown as typeof Ai6,
  (options) => createOpenAICompatible(compatibleSettings(options))(options.model) as unknown as Ai6.LanguageModel,
  ENDLESS,
);
