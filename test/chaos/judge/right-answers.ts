import type { Answer, Api, Reading } from './apis/api.ts';
import { APIS } from './apis/apis.ts';
import { withinIdleTime } from '../empty-site/idle-clock.ts';
import type { PageRequest } from '../in-page/ask.ts';
import type { Question } from './questions.ts';
import type { Tab } from '../tabs/tab.ts';

/** Milliseconds of idle CPU time for one answer, including the load of the model. */
const PATIENCE = 90_000;

/** The right answers. They are recorded in the first browser and must be the same in all others. */
export class RightAnswers {
  readonly #questions: readonly Question[];
  #recorded: ReadonlyMap<string, Answer> | null = null;

  constructor(questions: readonly Question[]) {
    this.#questions = questions;
  }

  /**
   * Waits until the model is loaded in this tab's browser.
   * @returns the right answer to each question, by its name: the answer of this build without faults.
   * @throws Error if an answer differs from its stream, because then nothing can be judged.
   */
  async recordOnce(tab: Tab, origin: string): Promise<ReadonlyMap<string, Answer>> {
    if (this.#recorded) await ask(tab, origin, this.#questions[0]!);
    return (this.#recorded ??= await recordAnswers(tab, origin, this.#questions));
  }
}

async function recordAnswers(
  tab: Tab,
  origin: string,
  questions: readonly Question[],
): Promise<ReadonlyMap<string, Answer>> {
  const right = new Map<string, Answer>();
  for (const question of questions) {
    const { name, api, as } = question;
    const { streaming, readJson, readStream } = APIS[api];
    const { answer, disorder } = readJson(await ask(tab, origin, question));
    const readings: Reading[] = [];
    if (streaming) readings.push(readStream(await ask(tab, origin, question, streaming)));
    const wrong = [disorder, ...readings.map((reading) => reading.disorder)].find((found) => found !== null);
    const same = as === undefined ? undefined : right.get(as);
    const isSame = same === undefined || textsOf(same) === textsOf(answer);
    if (wrong || !isSame || readings.some((reading) => JSON.stringify(reading.answer) !== JSON.stringify(answer))) {
      const found = JSON.stringify({ answer, wrong, readings, as: as && right.get(as) });
      throw new Error(`The answer to "${name}" differs from its stream or from that of another API: ${found}`);
    }
    // Leaves out a question with the same answer as an earlier one, because an exchanged answer would not be noticed.
    if ([...right.values()].some(({ choices }) => JSON.stringify(choices) === JSON.stringify(answer.choices))) continue;
    right.set(name, answer);
  }
  return right;
}

/** All that an answer says, without how its API says it. */
function textsOf({ choices }: Answer): string {
  return choices.map(({ text }) => text).join();
}

async function ask(tab: Tab, origin: string, { api, body }: Question, streaming: object = {}): Promise<string> {
  const request: PageRequest = {
    path: APIS[api].path,
    method: 'POST',
    headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, ...streaming }),
    abortAfter: null,
    readPause: 0,
    resumes: false,
    manner: (APIS[api] as Api).manner ?? 'once',
  };
  const reply = await withinIdleTime(
    PATIENCE,
    tab.call('beServed', origin).then(() => tab.call('ask', origin, request)),
  );
  if (reply === 'late' || reply.status !== 200 || reply.stage !== 'whole') {
    const page = await tab.callBriefly('describePage');
    throw new Error(`Undisturbed, the endpoint does not answer: ${JSON.stringify({ reply, page })}`);
  }
  return reply.body;
}
