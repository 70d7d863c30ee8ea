import { CreateMonitor } from './create-monitor.ts';
import { EndpointModel, type Connection } from './endpoint-model.ts';
import type { AvailabilityOptions, CreateOptions, ModelAvailability } from './language-model-options.ts';
import { quotaExceeded } from './quota-exceeded.ts';
import { allMessages, readExpected, readPrompt } from './read-prompt.ts';
import { readSampling } from './read-sampling.ts';
import { readTools } from './read-tools.ts';
import { Session, untilAborted } from './session.ts';

export interface LanguageModelOptions {
  /** Id of a chat model on this device. Default: `pocket`. */
  readonly model?: string;
  /** Default: `local`, the key that every site accepts unless it configures keys. */
  readonly apiKey?: string;
}

/** The class `LanguageModel`. {@link LanguageModelConstructor.create} makes its instances, the sessions. */
export interface LanguageModelConstructor {
  readonly prototype: Session;
  /** Whether a session with these options can be created. */
  availability(options?: AvailabilityOptions): Promise<ModelAvailability>;
  /**
   * Loads the model and starts a session.
   * @throws DOMException `NotSupportedError` if the model is not {@link availability available}, `OperationError` if it
   * cannot be loaded, `QuotaExceededError` if `initialPrompts` do not fit into its context window.
   */
  create(options?: CreateOptions): Promise<Session>;
}

/**
 * Creates a class in the shape of the browser's `LanguageModel` (Prompt API) that uses a model of this endpoint.
 * @param tabserve The result of `register()`.
 */
export function createLanguageModel(
  tabserve: Connection,
  { model = 'pocket', apiKey = 'local' }: LanguageModelOptions = {},
): LanguageModelConstructor {
  const endpoint = new EndpointModel(tabserve, model, apiKey);

  return class LanguageModel extends Session {
    static async availability(options: AvailabilityOptions = {}): Promise<ModelAvailability> {
      readSampling(options);
      readTools(options.tools);
      return (await usableFacts(endpoint, options)) === null ? 'unavailable' : 'available';
    }

    static async create(options: CreateOptions = {}): Promise<LanguageModel> {
      const { signal, initialPrompts = [] } = options;
      signal?.throwIfAborted();
      const sampling = readSampling(options);
      const tools = readTools(options.tools);
      const types = ['text', ...readExpected(options.expectedInputs)] as const;
      const given = [...initialPrompts];
      const initial = given.length === 0 ? [] : allMessages(await readPrompt(given, types, false));
      const monitor = new CreateMonitor();
      options.monitor?.(monitor);

      const begin = async () => {
        const facts = await usableFacts(endpoint, options);
        if (facts === null) throw unavailable(model);
        const report = (progress: number) => {
          if (signal?.aborted !== true) monitor.report(progress);
        };
        report(0);
        await endpoint.load(report);
        report(1);
        // Waits one task, because a listener of the last progress event may abort, and then no session may be created.
        await new Promise((resolve) => setTimeout(resolve));
        const { contextWindow } = facts;
        const usage = await endpoint.countTokens(
          { messages: initial, tools: tools.described },
          false,
          signal ?? new AbortController().signal,
        );
        if (usage > contextWindow) throw quotaExceeded(usage, contextWindow);
        const samplingMode = options.samplingMode ?? 'balanced';
        return new LanguageModel({
          endpoint,
          contextWindow,
          types,
          sampling,
          samplingMode,
          tools,
          initial,
          turns: [],
          usage,
        });
      };
      const session = await untilAborted(begin(), signal);
      signal?.addEventListener('abort', () => session.destroyWith(signal.reason), { once: true });
      return session;
    }
  };
}

/** Returns facts about the model; null if the model cannot be used on this device or with these options. */
async function usableFacts(endpoint: EndpointModel, options: AvailabilityOptions) {
  const inputs = readExpected(options.expectedInputs);
  const outputs = readExpected(options.expectedOutputs);
  const facts = await endpoint.facts();
  if (facts === null || (!facts.tools && [...(options.tools ?? [])].length > 0)) return null;
  const takes = ['text', ...(facts.images ? ['image'] : []), ...(facts.tools ? ['tool-response'] : [])];
  const gives = ['text', ...(facts.tools ? ['tool-call'] : [])];
  const isUsable = inputs.every((type) => takes.includes(type)) && outputs.every((type) => gives.includes(type));
  return isUsable ? facts : null;
}

function unavailable(model: string): DOMException {
  const sentence = `The model "${model}" is not on this device, or not usable with these options: availability() tells which; ModelManager downloads models.`;
  return new DOMException(sentence, 'NotSupportedError');
}
