import type { CompletionService } from '../shared/engine.ts';
import type { AppSettings } from './app-settings.ts';
import type { UsableModels } from './usable-models.ts';

/** One request that may pass (right path, method and key), with what answering it takes. */
export interface Exchange {
  readonly request: Request;
  readonly requestId: string;
  readonly clientId: string;
  readonly service: CompletionService;
  readonly settings: AppSettings;
  /** The models that the request's key may use. */
  readonly models: UsableModels;
}
