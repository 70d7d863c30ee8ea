import type { PageStatus } from '../../page/index.ts';
import type { ListedModel } from '../api/list-models.ts';
import { destinationOf } from '../common/destination-of.ts';
import { chooseModel, displacedModel, modelInUse } from '../common/model-in-use.ts';
import type { TabserveController } from '../common/tabserve-controller.ts';
import type { UsableModelsController } from '../common/usable-models-controller.ts';
import { lastModel, lastModelHere } from '../storage/local-storage-values.ts';
import type { Destination } from '../types/destination.ts';
import type { ConversationController } from './conversation-controller.ts';

/** The model that answers the chat on the screen, and the models to choose from. */
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
    const { model } = this.#chat.settings;
    if (model !== null) return model;
    const used = modelInUse(this.#endpoint.status, this.usable);
    // No upstream answers in a temporary chat before the user has chosen one of its models there.
    return this.#chat.isTemporary && used === lastModel() ? lastModelHere() : used;
  }

  /** The models to choose from. */
  get usable(): readonly ListedModel[] {
    return this.#models.chatModels;
  }

  /** The model's entry in the list of models; undefined if it is not available. */
  get listed(): ListedModel | undefined {
    return this.usable.find(({ id }) => id === this.id);
  }

  /** The server to which the next question goes; null if it stays on this device. */
  get destination(): Destination | null {
    return destinationOf(this.listed, this.#endpoint.status);
  }

  /** Id of the loaded model that the next question would replace; null if it would replace none. */
  get displaced(): string | null {
    return this.#chat.answering ? null : displacedModel(this.id, this.#status, this.#models.chatModels);
  }

  /**
   * The endpoint's status. While the endpoint starts, assumes that it loads the last chosen model of this device,
   * because the page preloads that.
   */
  get #status(): PageStatus {
    const { status } = this.#endpoint;
    return status.state === 'starting'
      ? { state: 'loading', model: lastModelHere(), progress: 0, message: '' }
      : status;
  }

  /** Sets the model of this chat and of new chats. */
  async choose(id: string): Promise<void> {
    if (!this.#chat.isTemporary) chooseModel(id, this.#endpoint.tabserve, this.#models.chatModels);
    await this.#chat.changeSettings({ model: id });
  }
}
