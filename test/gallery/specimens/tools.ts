import { html } from 'lit';
import { RunningAnswer } from '../../../src/chat/answers/running-answer.ts';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import type { Answer, ToolCall } from '../../../src/chat/types/conversation.ts';
import { ToolLoop } from '../../../src/chat/tools/tool-loop.ts';
import '../../../src/chat/conversation/messages/tool-rounds.ts';
import { sampleAnswer } from '../samples/conversation.ts';
import { LONG_WORDS } from '../samples/conversations.ts';
import type { SpecimenState, SpecimenTable } from '../specimen.ts';

const CALL: ToolCall = {
  id: 'call_1',
  name: 'calculate',
  arguments: '{"expression": "27 * 35"}',
  outcome: 'done',
  result: '945',
};

function calls(all: readonly Partial<ToolCall>[], more: Partial<Answer> = {}): SpecimenState {
  const answer = sampleAnswer({
    ...more,
    rounds: [{ text: 'Let me calculate that.', calls: all.map((call) => ({ ...CALL, ...call })) }],
  });
  const running = answer.state === 'running' ? waitingFor(answer) : undefined;
  return { template: () => html`<tool-rounds .answer=${answer} .running=${running}></tool-rounds>` };
}

/** A running answer that waits for the user's consent to a tool call. */
function waitingFor(answer: Answer): RunningAnswer {
  const running = new RunningAnswer(answer, async () => {});
  running.tools = new ToolLoop({
    store: new ConversationStore(null),
    signal: new AbortController().signal,
    answer: () => answer,
    change: () => {},
    ask: async () => {},
  });
  return running;
}

/** A program that is long enough to scroll. */
const PROGRAM = `const primes = [];\n${'for (const n of primes) console.log(n);\n'.repeat(20)}primes.length`;

/** A program in which characters that are not drawn hide a comment's end. */
const HIDDEN = "// check the \u202e\u2066name\u2069\nconst \u3164 = 'a\u200bb';";

const ASKED = { outcome: 'waiting', result: '' } as const;
const RUNNING = { state: 'running' } as const;

export const toolSpecimens: SpecimenTable = {
  'tool-rounds': {
    waiting: calls([ASKED], RUNNING),
    'long-question': calls([{ ...ASKED, arguments: JSON.stringify({ expression: LONG_WORDS }) }], {
      ...RUNNING,
      engine: 'upstream:institute',
    }),
    program: calls([{ ...ASKED, name: 'run_javascript', arguments: JSON.stringify({ program: PROGRAM }) }], RUNNING),
    'hidden-characters': calls(
      [{ ...ASKED, name: 'run_javascript', arguments: JSON.stringify({ program: HIDDEN }) }],
      RUNNING,
    ),
    ended: calls([
      {},
      ASKED,
      { outcome: 'refused', name: 'search_chats' },
      { outcome: 'failed', name: LONG_WORDS.slice(-100) },
    ]),
    open: {
      ...calls([{ result: LONG_WORDS }]),
      act: (element) => {
        const details = element.querySelector('tool-rounds')?.shadowRoot?.querySelector('details');
        if (details) details.open = true;
      },
    },
  },
};
