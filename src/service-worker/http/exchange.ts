import type { CallEngine, CompletionService } from '../../shared/engine/engine.ts';
import type { AppSettings } from '../app-settings.ts';
import type { StoredAnswers } from '../engine/stored-answers.ts';
import type { AdmitCompletion } from '../engine/admission.ts';
import type { PermittedModels } from '../models/permitted-models.ts';
import type { ExchangeObserver } from '../request-log/exchange-observer.ts';

/** A request whose path, method and key are accepted, together with everything that its route needs. */
export interface Exchange {
  readonly request: Request;
  readonly path: string;
  readonly requestId: string;
  readonly clientId: string;
  readonly service: CompletionService;
  readonly callEngine: CallEngine;
  readonly settings: AppSettings;
  readonly admit: AdmitCompletion;
  /** Readers of completions, of all clients, that have no output yet. */
  readonly waiting: Set<object>;
  /** Whether the client (page, frame, worker) is known to be closed. */
  readonly clientDisconnected: () => Promise<boolean>;
  /** The models that the request's key may use. */
  readonly models: PermittedModels;
  /** Lower-case hex SHA-256 of the request's key. */
  readonly keyHash: () => Promise<string>;
  /** The stored answers of the request's key. */
  readonly answers: StoredAnswers;
  readonly observer: ExchangeObserver | null;
}

/** Returns 32 random hexadecimal digits. */
export function randomId(): string {
  return crypto.randomUUID().replaceAll('-', '');
}
