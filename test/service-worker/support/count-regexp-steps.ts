import variant from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core';

/** QuickJS calls its interrupt handler once in this many steps of a regular expression. */
const STEPS_PER_CALL = 10_000;

/**
 * Creates a function that replaces all matches in a text, and counts the steps that QuickJS's regular expressions take,
 * in units of {@link STEPS_PER_CALL}. They backtrack like those of browsers. Above `max` steps it stops, because a
 * careless expression takes more steps than the universe has seconds.
 */
export async function regexpStepCounter(max: number): Promise<(regexp: RegExp, text: string) => number> {
  const context = (await newQuickJSWASMModuleFromVariant(variant)).newContext();
  let calls = 0;
  context.runtime.setInterruptHandler(() => ++calls * STEPS_PER_CALL > max);
  return ({ source, flags }, text) => {
    calls = 0;
    const construction = `new RegExp(${JSON.stringify(source)}, ${JSON.stringify(flags)})`;
    const result = context.evalCode(`${JSON.stringify(text)}.replace(${construction}, '')`);
    if (result.error === undefined) result.value.dispose();
    else {
      const thrown = context.dump(result.error) as { readonly message: string };
      result.error.dispose();
      if (thrown.message !== 'interrupted') throw new Error(`${construction}: ${thrown.message}`);
    }
    return calls * STEPS_PER_CALL;
  };
}
