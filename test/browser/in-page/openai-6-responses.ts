import OpenAI from 'openai';
import { openaiResponsesClient } from '../../support/clients/openai-responses-client.ts';

export const { complete, stream, abort, useTool, structured, failure, retry } = openaiResponsesClient(OpenAI);
