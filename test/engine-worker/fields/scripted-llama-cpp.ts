import { readGbnf } from '../../schema-proof/read-gbnf.ts';
import { Random } from '../../schema-proof/random.ts';
import { GrammarSampler } from '../../schema-proof/sample-grammar.ts';
import { BareWllama } from '../../support/fakes/bare-wllama.ts';
import { idOf, scoreOf, WORDS, type ScriptedModel } from './scripted-model.ts';

/** The parameters of llama.cpp's server that the fake applies. */
interface Parameters {
  readonly prompt?: string;
  readonly messages?: readonly { readonly content: unknown }[];
  readonly samplers: readonly ('penalties' | 'temperature' | 'min_p' | 'top_k' | 'top_p')[];
  readonly temperature: number;
  readonly top_k: number;
  readonly top_p: number;
  readonly min_p: number;
  readonly ignore_eos?: boolean;
  readonly seed: number;
  readonly presence_penalty: number;
  readonly frequency_penalty: number;
  readonly repeat_penalty: number;
  readonly max_tokens: number;
  readonly logit_bias?: readonly (readonly [id: number, bias: number | false])[];
  readonly abortSignal: AbortSignal;
  readonly grammar?: string;
  readonly n_probs?: number;
  readonly return_tokens?: boolean;
  readonly verbose?: boolean;
}

const TEMPLATE = `{% for message in messages %}{{ '[' + message.role + ']' + message.content + '\n' }}{% endfor %}
{%- if add_generation_prompt %}[assistant]{% endif %}`;

/** Follows {@link TEMPLATE} for a model that thinks: the prompt ends with an empty block if thinking is switched off. */
const NO_THOUGHT = `{% if enable_thinking is false %}<think></think>{% endif %}`;

interface Scored {
  readonly word: string;
  readonly score: number;
}

/** Follows {@link TEMPLATE} for a model with calls of its own: tools are rendered, and a comment has the syntax. */
const withCalls = (source: string) => `{% if tools %}{{ tools | tojson }}{% endif %}{# ${source} #}`;

/** Parameter value for a random seed. */
const RANDOM_SEED = 0xff_ff_ff_ff;

/** Prompt tokens are words here. */
const countTokens = (text: string) => text.split(/\s+/).length;

/**
 * Creates a fake of wllama's class whose model applies the parameters of each request as llama.cpp does.
 * @param prompts Gets what the model was asked: the text of a prompt, or the messages as JSON.
 */
export function scriptedLlamaCpp(
  { reply, thought, callTemplate, endScore = -Infinity, contextWindow = Infinity }: ScriptedModel,
  prompts: string[],
) {
  async function* answer(asked: Parameters): AsyncGenerator<object> {
    const prompt = asked.prompt ?? JSON.stringify(asked.messages);
    const length = countTokens(prompt);
    if (length > contextWindow) throw new Error(`the request exceeds the available context size (${length} tokens)`);
    prompts.push(prompt);
    const chunk = (text: string, finish_reason: string | null = null, logprobs = {}) => ({
      choices: [
        { ...(asked.prompt === undefined ? { delta: { content: text } } : { text }), finish_reason, ...logprobs },
      ],
    });
    if (thought !== undefined && !prompt.endsWith('</think>')) yield chunk(`<think>${thought}</think>`);
    let count = 0;
    let reason = 'stop';
    for (const word of tokensOf(asked)) {
      // Even without any token to write, llama.cpp writes one.
      if (count === (asked.max_tokens || 1)) reason = 'length';
      if (reason === 'length' || asked.abortSignal.aborted) break;
      count++;
      const alternatives = WORDS.slice(0, asked.n_probs).map((token) => ({ token, logprob: -1 }));
      const id = idOf(word as (typeof WORDS)[number]);
      const logprobs = { content: [{ id, token: word, logprob: -1, top_logprobs: alternatives }] };
      const reported = asked.verbose && asked.return_tokens && { __verbose: { tokens: [id] } };
      yield { ...chunk(word, null, asked.n_probs ? { logprobs } : {}), ...reported };
    }
    yield chunk('', reason);
    yield { choices: [], usage: { prompt_tokens: length, completion_tokens: count } };
  }

  function tokensOf(asked: Parameters): Iterable<string> {
    if (reply !== undefined) return reply;
    if (asked.grammar !== undefined) return new GrammarSampler(readGbnf(asked.grammar)).sample(new Random(1));
    return sampledWords(asked, asked.ignore_eos ? -Infinity : endScore);
  }

  return class extends BareWllama {
    override getChatTemplate(): string {
      const template = callTemplate === undefined ? TEMPLATE : withCalls(callTemplate) + TEMPLATE;
      return thought === undefined ? template : template + NO_THOUGHT;
    }
    async createChatCompletion(asked: Parameters): Promise<AsyncIterable<object>> {
      return answer(asked);
    }
    async createCompletion(asked: Parameters): Promise<AsyncIterable<object>> {
      return answer(asked);
    }
    async createEmbedding({ input }: { readonly input: string }): Promise<object> {
      return { data: [{ embedding: [3, 4 * input.length, 0] }], usage: { prompt_tokens: input.length } };
    }
  };
}

function* sampledWords(asked: Parameters, endScore: number): Generator<string> {
  const counts = new Map<string, number>();
  const random = new Random(asked.seed === RANDOM_SEED ? Math.floor(Math.random() * RANDOM_SEED) : asked.seed + 1);
  for (;;) {
    const word = sample(asked, endScore, counts, random.below(2 ** 20) / 2 ** 20);
    if (word === END) return;
    counts.set(word, (counts.get(word) ?? 0) + 1);
    yield word;
  }
}

function sample(asked: Parameters, endScore: number, counts: ReadonlyMap<string, number>, uniform: number): string {
  const biases = new Map(asked.logit_bias);
  const words = WORDS.map((word) => ({ word, score: scoreOf(word) + (biases.get(idOf(word)) || 0) }));
  const allowed = words.filter(({ word }) => biases.get(idOf(word)) !== false);
  let scored: readonly Scored[] = [...allowed, { word: END, score: endScore }];
  const steps: Record<Parameters['samplers'][number], () => readonly Scored[]> = {
    penalties: () =>
      scored.map(({ word, score }) => {
        const count = counts.get(word) ?? 0;
        if (count === 0) return { word, score };
        const repeated = score > 0 ? score / asked.repeat_penalty : score * asked.repeat_penalty;
        return { word, score: repeated - count * asked.frequency_penalty - asked.presence_penalty };
      }),
    temperature: () =>
      asked.temperature === 0
        ? ranked(scored).slice(0, 1)
        : scored.map(({ word, score }) => ({ word, score: score / asked.temperature })),
    min_p: () => {
      const least = ranked(scored)[0]!.score + Math.log(asked.min_p);
      return scored.filter(({ score }) => score >= least);
    },
    top_k: () => ranked(scored).slice(0, asked.top_k || Infinity),
    top_p: () => {
      let mass = 0;
      return ranked(scored).filter((one) => {
        const isKept = mass < asked.top_p * total(scored);
        mass += Math.exp(one.score);
        return isKept;
      });
    },
  };
  for (const name of asked.samplers) scored = steps[name]();
  let reached = 0;
  const drawn = uniform * total(scored);
  return scored.find(({ score }) => (reached += Math.exp(score)) > drawn)!.word;
}

/** The end of the turn, which is no word. */
const END = '';

const ranked = (scored: readonly Scored[]) => scored.toSorted((one, other) => other.score - one.score);

const total = (scored: readonly Scored[]) => scored.reduce((sum, { score }) => sum + Math.exp(score), 0);
