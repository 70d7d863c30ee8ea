import type { CallEngine, CompletionService } from '../../shared/engine/engine.ts';
import type { AppSettings } from '../app-settings.ts';
import type { ExchangeObserver } from '../request-log/exchange-observer.ts';
import type { PermittedModels } from '../models/permitted-models.ts';
import type { AdmitAnswer } from '../lifecycle/takeover.ts';
import type { StoredAnswers } from '../completion/stored-answers.ts';

/** One request that may pass (right path, method and key), with what answering it takes. */
export interface Exchange {
  readonly request: Request;
  /** Path of its address. */
  readonly path: string;
  readonly requestId: string;
  readonly clientId: string;
  readonly service: CompletionService;
  readonly callEngine: CallEngine;
  readonly settings: AppSettings;
  readonly admit: AdmitAnswer;
  /** Whether whoever sent the request is known to have gone. */
  readonly clientGone: () => Promise<boolean>;
  /** The models that the request's key may use. */
  readonly models: PermittedModels;
  /** The stored answers of the request's key. */
  readonly answers: StoredAnswers;
  /** Null when nobody observes. */
  readonly observer: ExchangeObserver | null;
}

/** 32 random hexadecimal digits. */
export function randomId(): string {
  return crypto.randomUUID().replaceAll('-', '');
}
