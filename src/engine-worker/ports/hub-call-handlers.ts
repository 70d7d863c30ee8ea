import * as v from 'valibot';
import type { HubCalls } from '../../shared/hub/hub-calls.ts';
import type { CallHandlers } from './call-handlers.ts';
import type { HubSites } from '../hub/hub-sites.ts';

const Admit = v.object({ origin: v.string(), consent: v.picklist(['given', 'same-site', 'none']) });
const Change = v.object({
  origin: v.string(),
  changes: v.object({
    isAllowed: v.exactOptional(v.boolean()),
    models: v.exactOptional(v.nullable(v.array(v.string()))),
    tokensPerMinute: v.exactOptional(v.nullable(v.number())),
  }),
});

/** The calls of a hub's frames and of its page. No other site can send them. */
export function hubCallHandlers(sites: HubSites): Pick<CallHandlers, keyof HubCalls> {
  return {
    'hub/admit': { parameters: Admit, run: ({ origin, consent }, site) => sites.admit(origin, consent, site) },
    'hub/sites': { parameters: v.null(), run: () => sites.list() },
    'hub/change-site': {
      parameters: Change,
      run: async ({ origin, changes }) => (await sites.change(origin, changes), null),
    },
  };
}
