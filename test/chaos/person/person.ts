import { sleep } from '../../../src/shared/timeout.ts';
import { chatFile } from './chat-file.ts';
import type { HarmLog } from '../judge/harm-log.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { Tab } from '../tabs/tab.ts';
import type { Tabs } from '../tabs/tabs.ts';
import type { TextLedger } from './text-ledger.ts';

/** What a person asks; the answers are short. */
const TEXTS = ['What is 3 + 4?', 'How many days has a week?', 'Say hello.', 'Name a colour.'] as const;

/** What a person does in the chat page, and how often. */
const ACTIONS = [
  { name: 'write', weight: 4 },
  { name: 'send', weight: 5 },
  { name: 'attach a file', weight: 1 },
  { name: 'import', weight: 1 },
  { name: 'edit', weight: 1 },
  { name: 'regenerate', weight: 1 },
  { name: 'stop', weight: 2 },
  { name: 'new chat', weight: 2 },
] as const;

/** Milliseconds from one action of a person to the next. */
const PAUSE = { shortest: 300, longest: 3000 };

/** Uses the chat page of some tabs as a person does: writes, sends, queues, edits, stops, and begins new chats. */
export class Person {
  readonly #tabs: Tabs;
  readonly #count: number;
  readonly #ledger: TextLedger;
  readonly #harms: HarmLog;
  readonly #tell: (sentence: string) => void;
  #stop: AbortController | null = null;

  /**
   * @param count In how many tabs.
   * @param tell Called with a sentence for each action.
   */
  constructor(
    { tabs, ledger, harms }: { readonly tabs: Tabs; readonly ledger: TextLedger; readonly harms: HarmLog },
    count: number,
    tell: (sentence: string) => void,
  ) {
    this.#tabs = tabs;
    this.#ledger = ledger;
    this.#harms = harms;
    this.#count = count;
    this.#tell = tell;
  }

  start(random: SeededRandom): void {
    const stop = new AbortController();
    this.#stop = stop;
    for (let place = 0; place < this.#count; place++) {
      this.#use(place, random.fork(`person ${place}`), stop.signal).catch((thrown: unknown) => {
        if (!stop.signal.aborted) throw thrown;
      });
    }
  }

  stop(): void {
    this.#stop?.abort();
  }

  async #use(place: number, random: SeededRandom, signal: AbortSignal): Promise<void> {
    for (;;) {
      await sleep(random.integer(PAUSE.shortest, PAUSE.longest), signal);
      const tab = this.#tabs.at(place);
      const { name } = random.pick(ACTIONS, ({ weight }) => weight);
      if (tab?.state === 'open') await this.#act(name, { tab, place }, random);
    }
  }

  /** A person whose page does not react tries something else later. */
  async #act(
    name: (typeof ACTIONS)[number]['name'],
    { tab, place }: { readonly tab: Tab; readonly place: number },
    random: SeededRandom,
  ): Promise<void> {
    const { personsAsked, chatsLeft } = this.#harms;
    if (name === 'send' || name === 'edit' || name === 'regenerate') personsAsked.set(place, performance.now());
    if (name === 'new chat' && (await tab.callBriefly('chatView'))?.answering) {
      // Seldom, so that the answers of left chats do not always fill the queue.
      if (!random.chance(0.25)) return;
      chatsLeft.push(performance.now());
    }
    if (name === 'new chat' || name === 'stop' || name === 'regenerate') {
      const done = await tab.callBriefly(name === 'new chat' ? 'showNewChat' : name === 'stop' ? 'stopAnswer' : name);
      this.#tell(`tab ${tab.number}: ${name}${done ? '' : ', in vain'}`);
    } else {
      const mark = this.#ledger.newMark();
      const text = `${random.pick(TEXTS)} ${mark}`;
      const begun = performance.now();
      const done = await this.#write(name, tab, text);
      if (done) this.#ledger.add(mark, name, tab, begun);
      this.#tell(`tab ${tab.number}: ${name} ${mark}${done ? '' : ', in vain'}`);
    }
  }

  #write(
    name: 'write' | 'send' | 'attach a file' | 'import' | 'edit',
    tab: Tab,
    text: string,
  ): Promise<boolean | null> {
    if (name === 'edit') return tab.callBriefly('editQuestion', text);
    if (name === 'import')
      return tab.callBriefly('importChat', chatFile({ title: text, question: text, answer: '7' }), text);
    if (name === 'attach a file') return tab.callBriefly('attachText', 'notes.txt', text);
    return tab.callBriefly('writeQuestion', text, name === 'send');
  }
}
