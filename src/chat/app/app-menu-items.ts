import '../theme/web-awesome.ts';
import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { chosenColourScheme, rememberLanguage } from '../storage/local-storage-values.ts';
import { appStrings } from '../strings/app-strings.ts';
import { appearanceStrings } from '../strings/dialog-strings.ts';
import { currentLanguage, LANGUAGE_NAMES, LANGUAGES } from '../strings/page-language.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import { mayReload } from '../temporary/temporary-session.ts';
import { chooseColourScheme } from '../theme/colour-scheme.ts';
import { icon, type Icon } from '../theme/icons.ts';
import { laterIcons } from '../theme/later-icons.ts';
import { openAllChats } from './all-chats-dialog.ts';

/** The actions of menu items that the app runs. */
type MenuAction = 'import-chats' | 'export-chats' | 'shortcuts';

const ACTIONS = [
  ['all-chats', 'sliders'],
  ['import-chats', 'upload'],
  ['export-chats', 'download'],
  ['shortcuts', laterIcons.keyboard],
] as const satisfies readonly (readonly [MenuAction | 'all-chats', Icon])[];

interface Choice {
  readonly value: string;
  readonly isChosen: boolean;
  readonly words: string;
}

/** The colour schemes to choose from. Null follows the system. */
const COLOUR_SCHEMES = [null, 'light', 'dark'] as const;

/** The items of the page's menu, loaded when it first opens. */
export function menuItems(): TemplateResult {
  const scheme = chosenColourScheme();
  return html`${ACTIONS.map(([action, symbol]) => html`<wa-dropdown-item value=${action}><span slot="icon">${icon(symbol)}</span>${appStrings.menuActions[action]}</wa-dropdown-item>`)}
    ${choices(
      'colours',
      appearanceStrings.title,
      COLOUR_SCHEMES.map((name) => ({
        value: name ?? 'system',
        isChosen: name === scheme,
        words: appearanceStrings.schemes[name ?? 'system'],
      })),
    )}
    ${choices(
      'language',
      appStrings.language,
      LANGUAGES.map((name) => ({ value: name, isChosen: name === currentLanguage(), words: LANGUAGE_NAMES[name] })),
    )}`;
}

/** Renders a radio group. A menu may not contain headings, so the label of each item includes the group's name. */
function choices(what: string, heading: string, offered: readonly Choice[]): unknown {
  return [
    html`<p aria-hidden="true">${heading}</p>`,
    ...offered.map(
      ({ value, isChosen, words }) =>
        // `live` keeps the item checked when the user clicks it again.
        html`<wa-dropdown-item type="checkbox" value="${what} ${value}" aria-label="${heading}: ${words}" .checked=${live(isChosen)}>${words}</wa-dropdown-item>`,
    ),
  ];
}

/**
 * Runs the action of a menu item.
 * @param item The value of the item.
 * @param store The page's chats.
 * @returns The action that the app must run; null if it is done.
 */
export async function choose(item: string, store: ConversationStore): Promise<MenuAction | null> {
  const [what, chosen] = item.split(' ');
  if (what === 'all-chats') openAllChats();
  if (what === 'colours') chooseColourScheme(COLOUR_SCHEMES.find((name) => name === chosen) ?? null);
  if (what === 'language' && chosen !== undefined && chosen !== currentLanguage()) await chooseLanguage(chosen, store);
  return what === 'import-chats' || what === 'export-chats' || what === 'shortcuts' ? what : null;
}

/**
 * Sets the language and reloads, because rendered texts keep their language. Drafts and answers survive; a
 * chat in memory does not.
 */
async function chooseLanguage(language: string, store: ConversationStore): Promise<void> {
  if (!(await mayReload(store))) return;
  rememberLanguage(language);
  location.reload();
}
