import { Agent, OpenAIProvider, Runner, tool, type AgentOptions } from '@openai/agents';
import OpenAI, { APIError } from 'openai7';
import { leaveEarly, LONG_STORY, MODEL, PERSON_SCHEMA, WEATHER_TOOL, type ChatClient } from './chat-client.ts';
import { askWhileQueueIsFull } from './full-queue.ts';

const agent = ({ modelSettings, ...options }: Partial<AgentOptions> = {}) =>
  new Agent({ name: 'Guide', model: MODEL, modelSettings: { temperature: 0, ...modelSettings }, ...options });

/** Asks without a limit of tokens, because the package takes a response that ends at its limit for a failure. */
const greet = async (runner: Runner) => (await runner.run(agent(), 'Hello')).finalOutput as string;

/**
 * Runs in the page: {@link ChatClient} for `@openai/agents`.
 * @param useResponses Whether the agents use the Responses API; otherwise chat completions.
 */
export function agentsChatClient(useResponses: boolean): ChatClient {
  const connect = (fetchOption?: typeof fetch) => {
    const client = new OpenAI({
      apiKey: 'local',
      baseURL: `${location.origin}/v1`,
      dangerouslyAllowBrowser: true,
      ...(fetchOption && { fetch: fetchOption }),
    });
    // The package depends on an older version of `openai`, whose private members differ.
    const modelProvider = new OpenAIProvider({ openAIClient: client as never, useResponses });
    return new Runner({ modelProvider, tracingDisabled: true });
  };
  return {
    async complete(question) {
      const { finalOutput, state } = await connect().run(agent(), question);
      return { text: finalOutput as string, totalTokens: state.usage.totalTokens };
    },

    async stream(question) {
      const pieces: string[] = [];
      const run = await connect().run(agent(), question, { stream: true });
      for await (const piece of run.toTextStream()) pieces.push(piece);
      await run.completed;
      if (run.finalOutput !== pieces.join('')) throw new Error('The client put another text together.');
      return pieces;
    },

    async abort() {
      const runner = connect();
      const left = await leaveEarly(async function* (signal) {
        const run = await runner.run(agent(), LONG_STORY, { stream: true, signal });
        yield* run.toTextStream();
        // In a browser the package has one context for all runs: another one fails before this one has ended.
        await run.completed.catch(() => {});
      });
      return { ...left, next: await greet(runner) };
    },

    async useTool(question) {
      let parameters: unknown;
      const weather = tool({
        ...WEATHER_TOOL,
        parameters: { ...WEATHER_TOOL.parameters, required: [...WEATHER_TOOL.parameters.required] },
        strict: true,
        execute: async (given) => {
          parameters = given;
          return 'Sunny, 21 degrees.';
        },
      });
      // After the first call the package itself sets the choice of tools back to automatic.
      const guide = agent({
        tools: [weather],
        modelSettings: { toolChoice: 'required', parallelToolCalls: false },
      });
      const { finalOutput, newItems } = await connect().run(guide, question);
      const call = newItems.find(({ type }) => type === 'tool_call_item')?.rawItem as { readonly name: string };
      return { name: call.name, parameters, answer: finalOutput as string };
    },

    async structured(question) {
      const outputType = { type: 'json_schema', name: 'person', strict: true, schema: PERSON_SCHEMA } as never;
      return (await connect().run(agent({ outputType }), question)).finalOutput;
    },

    async failure() {
      try {
        await connect().run(agent({ model: 'nobody' }), 'Hello');
        return { status: undefined, message: '' };
      } catch (error) {
        if (!(error instanceof APIError)) throw error;
        return { status: error.status, message: error.message };
      }
    },

    retry: () => askWhileQueueIsFull((recordingFetch) => greet(connect(recordingFetch))),
  };
}
