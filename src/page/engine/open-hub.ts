import type { EngineConnection } from '../../shared/messaging/engine-connection.ts';
import type { HubModel } from '../../shared/models/hub-model.ts';
import { evictOldAnswers } from '../../shared/storage/answer-database.ts';
import { forgetUnusedHubModels, storeHubModels } from '../../shared/storage/hub-models.ts';
import type { EngineHost } from './engine-host.ts';
import { HubEngineHost } from './hub-engine-host.ts';
import type { HubState } from '../status/page-status.ts';
import { hubFaultSentence } from '../strings/hub-fault-strings.ts';
import { HubUnavailable } from './hub-unavailable.ts';

/** The hub's engine; without it, `onState` is told why. */
type OpenedHub =
  | { readonly host: EngineHost; readonly connection: EngineConnection }
  | { readonly host: null; readonly connection: null };

/** Without the database the service worker knows the built-in models only. */
const store = (models: readonly HubModel[]) => storeHubModels(models).catch(() => {});

/**
 * Joins the engine of a hub.
 * @param hub Address of the hub, with a trailing slash.
 * @param earlier The host of the last engine, if it was the hub's.
 * @param join Joins the engine of a host.
 * @param onState Called with the result.
 */
export async function openHub(
  hub: URL,
  earlier: EngineHost | null,
  join: (host: EngineHost) => Promise<EngineConnection>,
  onState: (state: HubState) => void = () => {},
): Promise<OpenedHub> {
  const host = earlier ?? new HubEngineHost(hub, store);
  try {
    const connection = await join(host);
    // An engine that can run no model is of no use; the site's own may be able to.
    if (connection.fault === null) {
      onState({ address: hub.href, fault: null, message: '' });
      // The hub's engine cannot: it has the storage of another site.
      void evictOldAnswers().catch(() => {});
      return { host, connection };
    }
    connection.close();
    throw new HubUnavailable('no-engine');
  } catch (thrown) {
    host.close();
    await forgetUnusedHubModels().catch(() => {});
    const fault = thrown instanceof HubUnavailable ? thrown.fault : 'no-engine';
    onState({ address: hub.href, fault, message: hubFaultSentence(fault) });
    return { host: null, connection: null };
  }
}
