import type { ReactiveControllerHost } from 'lit';
import type { IconName } from '../theme/icons.ts';

/** Something that can be done on the page as it is now. */
export interface Command {
  readonly words: string;
  readonly icon: IconName;
  /** Keys that do the same, as they are called in the help. */
  readonly keys?: readonly string[];
  readonly run: () => unknown;
}

const offers = new Set<() => readonly Command[]>();

/** Offers what an element can do to the command palette, for as long as it is on the page. It is asked anew each time. */
export function offerCommands(host: ReactiveControllerHost, commands: () => readonly Command[]): void {
  host.addController({
    hostConnected: () => void offers.add(commands),
    hostDisconnected: () => void offers.delete(commands),
  });
}

/** Everything that can be done now. */
export function offeredCommands(): readonly Command[] {
  return [...offers].flatMap((commands) => commands());
}
