import { expect, test } from 'vitest';
import { FREEZING_FAULTS } from './freezing-faults.ts';
import { contextOf } from './scripted-context.ts';
import { SeededRandom } from './seeded-random.ts';

const ENGINE_OF_SECOND_TAB = { targetId: 'engine', type: 'worker', url: '', parentId: 'target 2' };
const LLAMA_CPP_OF_FIRST_TAB = { targetId: 'llama.cpp', type: 'worker', url: '', parentId: 'target 1' };
const OTHER_OF_FIRST_TAB = { targetId: 'other', type: 'worker', url: '', parentId: 'target 1' };
const SHARED_ENGINE = { targetId: 'engine', type: 'shared_worker', url: '' };
/** The engine runs llama.cpp in a worker of the first tab, and waits for its end. */
const LOCKS = {
  held: [
    { clientId: 'engine', name: 'tabserve-engine 1', mode: 'exclusive' },
    { clientId: 'llama.cpp', name: 'tabserve-task 1', mode: 'exclusive' },
    { clientId: 'engine', name: 'tabserve-task-wanted 1', mode: 'exclusive' },
  ],
  pending: [],
};

test.for([
  { name: 'tab frozen', engine: ENGINE_OF_SECOND_TAB, frozen: ['1'] },
  { name: 'leader frozen', engine: ENGINE_OF_SECOND_TAB, frozen: ['2'] },
  { name: 'two tabs frozen', engine: ENGINE_OF_SECOND_TAB, frozen: ['2', expect.anything()] },
  { name: 'two tabs frozen', engine: SHARED_ENGINE, frozen: ['1', expect.anything()] },
])(
  '"$name" on the first tab, with a $engine.type, freezes and resumes the tabs $frozen',
  async ({ name, engine, frozen }) => {
    const states: unknown[] = [];
    const context = await contextOf(
      (method, { state, expression }, tab) => {
        if (method === 'Page.setWebLifecycleState') states.push([tab!.session.id, state]);
        if (method !== 'Runtime.evaluate') return {};
        return { result: { value: String(expression).includes('chaos.locks(') ? LOCKS : 'http://localhost:1/' } };
      },
      [OTHER_OF_FIRST_TAB, LLAMA_CPP_OF_FIRST_TAB, engine],
    );
    const fault = FREEZING_FAULTS.find((candidate) => candidate.name === name)!;
    await fault.apply(context, context.tabs.open[0]!, new SeededRandom(1));
    expect(states).toEqual(frozen.map((tab) => [tab, 'frozen']));
    await context.standing.liftAll('tab');
    expect(states.slice(frozen.length)).toEqual(frozen.map((tab) => [tab, 'active']));
    expect(context.tabs.open).toHaveLength(3);
  },
);
