import type OpenAI from 'openai';
import OpenAI7 from 'openai7';
import { openaiResponsesClient } from '../../support/clients/openai-responses-client.ts';

// The two versions differ only in private members, so one type fits both.
export const { complete, stream, abort, useTool, structured, failure, retry } = openaiResponsesClient(
  OpenAI7 as unknown as typeof OpenAI,
);
