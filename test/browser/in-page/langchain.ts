import { langchainChatClient } from '../../support/langchain-chat-client.ts';

export const { complete, stream, abort, useTool, structured, failure, retry } = langchainChatClient(false);
