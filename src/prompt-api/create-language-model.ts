import { BUILT_IN_MODEL_ID } from '../shared/models/built-in-models.ts';
import { CreateMonitor } from './create-monitor.ts';
import { EndpointModel, type Connection } from './endpoint-model.ts';
import type { AvailabilityOptions, CreateOptions, ModelAvailability } from './language-model-options.ts';
import { estimateTokens, leastTokens } from './estimate-tokens.ts';
import { windowExceeded } from './quota-exceeded.ts';
import { allMessages, knowsLanguages, readExpected, readPrompt } from './read-prompt.ts';
import { readSampling } from './read-sampling.ts';
import { readTools } from './read-tools.ts';
import { Session, untilAborted } from './session.ts';

export interface LanguageModelOptions {
  /** Id of a chat model on this device. Default: the built-in one. */
  readonly model?: string;
  /**
   * Tags of the languages that the model knows: `availability()` is `unavailable` for others. Default: English for
   * the built-in model; for others every language is assumed to be known.
   */
  readonly languages?: Iterable<string> | undefined;
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
   * cannot be loaded, `QuotaExceededError` if `initialPrompts` do not fit into its context window, `UnknownError` if the
   * endpoint fails for a reason that may pass.
   */
  create(options?: CreateOptions): Promise<Session>;
}

/**
 * Creates a class in the shape of the browser's `LanguageModel` (Prompt API) that uses a model of this endpoint.
 * @param tabserve The result of `register()`.
 */
export function createLanguageModel(
  tabserve: Connection,
  {
    model = BUILT_IN_MODEL_ID,
    apiKey = 'local',
    languages = model === BUILT_IN_MODEL_ID ? ['en'] : undefined,
  }: LanguageModelOptions = {},
): LanguageModelConstructor {
  const endpoint = new EndpointModel(tabserve, model, apiKey);
  const known = languages && [...languages];

  /** Returns facts about the model; null if the model cannot be used on this device or with these options. */
  async function usableFacts({ inputs, outputs, tools }: Requirements) {
    const facts = await endpoint.facts();
    if (facts === null || (!facts.tools && tools.described.length > 0)) return null;
    const takes = ['text', ...(facts.images ? ['image'] : []), ...(facts.tools ? ['tool-response'] : [])];
    const gives = ['text', ...(facts.tools ? ['tool-call'] : [])];
    const isUsable =
      inputs.types.every((type) => takes.includes(type)) && outputs.types.every((type) => gives.includes(type));
    const speaks = known === undefined || [inputs, outputs].every(({ languages }) => knowsLanguages(known, languages));
    return isUsable && speaks ? facts : null;
  }

  return class LanguageModel extends Session {
    static async availability(options: AvailabilityOptions = {}): Promise<ModelAvailability> {
      readSampling(options);
      const facts = await usableFacts(readRequirements(options)).catch(() => null);
      return facts === null ? 'unavailable' : 'available';
    }

    static async create(options: CreateOptions = {}): Promise<LanguageModel> {
      const { signal, initialPrompts = [] } = options;
      signal?.throwIfAborted();
      const sampling = readSampling(options);
      const requirements = readRequirements(options);
      const { inputs, tools } = requirements;
      const types = ['text', ...inputs.types] as const;
      const given = [...initialPrompts];
      const initial = given.length === 0 ? [] : allMessages(await readPrompt(given, types, false));
      const monitor = new CreateMonitor();
      options.monitor?.(monitor);

      const begin = async () => {
        const facts = await usableFacts(requirements);
        if (facts === null) throw unavailable(model);
        const report = (progress: number) => {
          if (signal?.aborted !== true) monitor.report(progress);
        };
        report(0);
        await endpoint.load(report);
        report(1);
        // Waits one task, because a listener of the last progress event may abort, and then no session may be created.
        await new Promise((resolve) => setTimeout(resolve));
        // The browser's own model reports its context window only when it is loaded.
        const { contextWindow } = (await endpoint.facts().catch(() => null)) ?? facts;
        const conversation = { messages: initial, tools: tools.described };
        const counted = await endpoint.countTokens(conversation, false, signal ?? new AbortController().signal);
        const needed = counted ?? leastTokens(conversation);
        if (initial.length > 0 && needed > contextWindow) throw windowExceeded(needed, contextWindow);
        const usage = counted ?? Math.min(contextWindow, estimateTokens(conversation));
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

/** Reads each option once, because an iterator is empty at a second reading. */
function readRequirements({ tools, expectedInputs, expectedOutputs }: AvailabilityOptions) {
  return { tools: readTools(tools), inputs: readExpected(expectedInputs), outputs: readExpected(expectedOutputs) };
}

type Requirements = ReturnType<typeof readRequirements>;

function unavailable(model: string): DOMException {
  const sentence = `The model "${model}" is not on this device, or not usable with these options: availability() tells which; ModelManager downloads models.`;
  return new DOMException(sentence, 'NotSupportedError');
}
