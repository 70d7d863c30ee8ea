import type { PageStatus } from '../../page/index.ts';
import type { ListedModel } from '../api/list-models.ts';
import { chooseModel, displacedModel, modelInUse } from '../common/model-in-use.ts';
import type { TabserveController } from '../common/tabserve-controller.ts';
import type { UsableModelsController } from '../common/usable-models-controller.ts';
import { lastModel, lastModelHere } from '../storage/local-values.ts';
import type { ConversationController } from './conversation-controller.ts';

/** The model that answers the chat on the screen, and those that could. */
export class ChatModel {
  readonly #chat: ConversationController;
  readonly #models: UsableModelsController;
  readonly #endpoint: TabserveController;

  constructor(chat: ConversationController, models: UsableModelsController, endpoint: TabserveController) {
    this.#chat = chat;
    this.#models = models;
    this.#endpoint = endpoint;
  }

  get id(): string {
    const model = this.#chat.settings.model ?? modelInUse(this.#endpoint.status, this.usable);
    return this.#chat.isTemporary && model === lastModel() ? lastModelHere() : model;
  }

  /** What is sent to another server is written down, so a temporary chat has only the models of this device. */
  get usable(): readonly ListedModel[] {
    return this.#models.writing.filter(({ tabserve }) => !this.#chat.isTemporary || tabserve?.state !== 'upstream');
  }

  /** What the endpoint tells of it; undefined where it is not to be had. */
  get listed(): ListedModel | undefined {
    return this.usable.find(({ id }) => id === this.id);
  }

  /** Id of the model that the next question would take the place of; null where it takes none. */
  get displaced(): string | null {
    return this.#chat.answering ? null : displacedModel(this.id, this.#status, this.#models.writing);
  }

  /** That of the endpoint, and while it starts what comes next: the page has it load the model that was used last. */
  get #status(): PageStatus {
    const { status } = this.#endpoint;
    return status.state === 'starting'
      ? { state: 'loading', model: lastModelHere(), progress: 0, message: '' }
      : status;
  }

  /** Makes this model the one of the chat, and of those that are begun after it. */
  async choose(id: string): Promise<void> {
    if (!this.#chat.isTemporary) chooseModel(id, this.#endpoint.tabserve, this.#models.writing);
    await this.#chat.changeSettings({ model: id });
  }
}
