import type { ReactiveControllerHost } from 'lit';
import type { Icon } from '../theme/icons.ts';

/** An entry of the command palette. */
export interface Command {
  readonly words: string;
  readonly icon: Icon;
  /** The keyboard shortcut of the command, in the key names of the shortcuts dialog. */
  readonly keys?: readonly string[];
  readonly run: () => unknown;
}

const offers = new Set<() => readonly Command[]>();

/** Adds commands to the palette while `host` is connected. `commands` is called each time the palette opens. */
export function offerCommands(host: ReactiveControllerHost, commands: () => readonly Command[]): void {
  host.addController({
    hostConnected: () => void offers.add(commands),
    hostDisconnected: () => void offers.delete(commands),
  });
}

export function offeredCommands(): readonly Command[] {
  return [...offers].flatMap((commands) => commands());
}
