import { continuesText } from '../../shared/models/continues-text.ts';
import { windowLimits } from '../../shared/models/window-limits.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { Exchange } from '../http/exchange.ts';
import { jsonResponse } from '../http/http-responses.ts';
import { speaksMessages } from '../../shared/http/messages-api-errors.ts';
import { modelPage } from './model-page.ts';

/**
 * `GET /models`: the models on this device that the key may use, or a page of them ({@link modelPage}); with `?state=all`
 * also those that could be downloaded. Works without an engine.
 */
export async function listModels(exchange: Exchange): Promise<Response> {
  const { request } = exchange;
  const present = await exchange.models.list();
  if (expectsMessagesForm(exchange)) {
    const { models, fields } = modelPage(present, request, true);
    return jsonResponse({ data: models.map(messagesModelObject), ...fields });
  }
  const listed: ListedModel[] = present.map(modelObject);
  if (new URL(request.url).searchParams.get('state') === 'all') {
    for (const { id, reason } of await exchange.models.listAbsent()) {
      const state = reason === 'not-downloaded' ? 'available' : 'downloading';
      // The other fields are in the model's package, which has not been downloaded.
      listed.push({ id, object: 'model', created: 0, owned_by: 'unknown', tabserve: { state } });
    }
  }
  const { models: data, fields, isAsked } = modelPage(listed, request, false);
  return jsonResponse({ object: 'list', data, ...(isAsked && fields) });
}

/** Handles `GET /models/{id}`. */
export async function retrieveModel(exchange: Exchange, id: string): Promise<Response> {
  const form = expectsMessagesForm(exchange) ? messagesModelObject : modelObject;
  return jsonResponse(form(await exchange.models.find(id)));
}

function expectsMessagesForm({ request, path, settings }: Exchange): boolean {
  return speaksMessages(request.headers, path, settings.basePath);
}

/** Returns a model in the form of the Messages API. An embedding model generates no tokens. */
function messagesModelObject({ id, created, contextWindow, embedding }: ModelEntry): object {
  return {
    type: 'model',
    id,
    display_name: id,
    created_at: new Date(created * 1000).toISOString(),
    max_input_tokens: contextWindow,
    max_tokens: embedding === undefined ? contextWindow : 0,
    capabilities: null,
    lifecycle: 'active',
    deprecated_at: null,
    retires_at: null,
    line: null,
  };
}

/** The context window under the field names that clients of other servers expect. */
function contextFields(model: ModelEntry): object {
  const tokens = model.contextWindow;
  return {
    // In this order: OpenRouter and LM Studio; vLLM; llama-server, where the field is the context length of the
    // training.
    context_length: tokens,
    max_model_len: tokens,
    meta: { n_ctx_train: windowLimits(model)?.most ?? tokens },
  };
}

/** What a client is told of a model whose file has no chat template. */
const CONTINUES_TEXT =
  'Continues text; not made for chat. Its file has no chat template, so chats are put into the layout ChatML, and an answer ends at ' +
  "one of ChatML's marks. Use /v1/completions.";

interface ListedModel {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** Returns a model in the API's form with additional fields; those in `tabserve` are specific to this endpoint. */
function modelObject(model: ModelEntry): ListedModel {
  const { embedding } = model;
  const writes = embedding === undefined;
  const embeds = !writes && !embedding.ranks;
  const isBrowsers = model.format === 'browser';
  return {
    id: model.id,
    object: 'model',
    created: model.created,
    owned_by: model.ownedBy,
    context_window: model.contextWindow,
    ...contextFields(model),
    default_temperature: model.defaultTemperature,
    default_top_p: model.defaultTopP,
    tabserve: {
      state: isBrowsers ? 'browser' : model.ofSite ? 'built-in' : 'downloaded',
      context_window: model.contextWindow,
      ...(embeds && { dimensions: embedding.dimensions }),
      ...(continuesText(model) && { chat_template: false, description: CONTINUES_TEXT }),
      capabilities: {
        chat: writes,
        completions: writes && !isBrowsers,
        responses: writes,
        embeddings: embeds,
        rerank: !writes,
        images: model.images,
        tools: writes && !isBrowsers,
        thinking: model.thinking !== null,
      },
    },
  };
}
