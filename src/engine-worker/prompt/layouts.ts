/**
 * How a conversation is written into the messages of a chat template. Templates differ in what they accept, and most
 * say so only by refusing a conversation or by leaving out a part of it.
 */
export interface Layout {
  /**
   * - `native`: the template gets tools, calls and results, and writes them in its own syntax.
   * - `spelled`: it gets tools and results; the calls are text of the assistant in the template's own syntax, for
   *   templates that leave calls out.
   * - `text`: tools, calls and results are text, in the syntax of Hermes.
   */
  readonly tools: 'native' | 'spelled' | 'text';
  /** Where a system message stands that the template does not accept in its place. */
  readonly system: 'in-place' | 'before-user' | 'first-user';
  /**
   * - `as-sent`: each message is a turn.
   * - `one-call`: each call is a turn of its own, followed by its result.
   * - `split`: like `one-call`, and the text before a call is a turn of its own, too.
   * - `joined`: neighbours of one role are one turn.
   * - `alternating`: like `joined`; between two turns of one role, and before the assistant's if it is the first, stands an
   *   empty turn of the other role.
   */
  readonly turns: 'as-sent' | 'one-call' | 'split' | 'joined' | 'alternating';
  /** Whether the template gets the arguments of calls as an object or as JSON text. */
  readonly args: 'object' | 'text';
  /** Whether ids of calls are changed to nine letters and digits, which Mistral's templates demand. */
  readonly ids: 'as-sent' | 'nine';
}

const SYSTEMS = ['in-place', 'before-user', 'first-user'] as const;
const TURNS = ['as-sent', 'one-call', 'split', 'joined', 'alternating'] as const;

/**
 * Returns all layouts that can make a difference to a conversation, those closest to the request first.
 * @param usesTools Whether the conversation has tools, calls or results.
 */
export function layouts(usesTools: boolean): readonly Layout[] {
  const tools = usesTools ? (['native', 'spelled', 'text'] as const) : (['text'] as const);
  return tools.flatMap((tools) =>
    TURNS.flatMap((turns) =>
      SYSTEMS.flatMap((system) => {
        const layout = { tools, turns, system, args: 'object', ids: 'as-sent' } as const;
        if (tools === 'text') return turns === 'one-call' || turns === 'split' ? [] : [layout];
        if (tools === 'spelled') return [layout, { ...layout, ids: 'nine' } as const];
        return [
          layout,
          { ...layout, ids: 'nine' } as const,
          { ...layout, args: 'text' } as const,
          { ...layout, args: 'text', ids: 'nine' } as const,
        ];
      }),
    ),
  );
}
