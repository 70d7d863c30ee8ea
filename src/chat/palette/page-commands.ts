import type { Command } from '../common/commands.ts';
import { appStrings } from '../strings/app-strings.ts';
import { appearanceStrings, dialogStrings } from '../strings/dialog-strings.ts';
import { listStrings } from '../strings/list-strings.ts';
import { chooseColourScheme } from '../theme/colour-scheme.ts';
import type { Icon } from '../theme/icons.ts';
import { laterIcons } from '../theme/later-icons.ts';

/**
 * Returns the commands that every screen offers.
 * @param ask Called for actions that only the app can run.
 */
export function pageCommands(ask: (what: 'search' | 'shortcuts') => void): readonly Command[] {
  return [
    { ...goTo('plus', appStrings.newChat, '#/'), keys: ['Ctrl', 'Alt', 'N'] },
    { ...goTo('temporary', appStrings.temporary, '#/temporary'), keys: ['Ctrl', 'Alt', 'P'] },
    { icon: 'search', words: listStrings.search, keys: ['Ctrl', 'Shift', 'F'], run: () => ask('search') },
    goTo('folder', appStrings.documents, '#/documents'),
    goTo('chip', appStrings.models, '#/models'),
    goTo('code', appStrings.developers, '#/developers'),
    goTo('shield', appStrings.privacy, '#/privacy'),
    { icon: laterIcons.keyboard, words: dialogStrings.shortcuts, keys: ['Ctrl', '/'], run: () => ask('shortcuts') },
  ];
}

export function appearanceCommands(): readonly Command[] {
  return ([null, 'light', 'dark'] as const).map((scheme) => ({
    icon: 'gear',
    words: `${appearanceStrings.title}: ${appearanceStrings.schemes[scheme ?? 'system']}`,
    run: () => chooseColourScheme(scheme),
  }));
}

function goTo(icon: Icon, words: string, hash: string): Command {
  return { icon, words, run: () => (location.hash = hash) };
}
