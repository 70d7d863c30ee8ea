export {
  createLanguageModel,
  type LanguageModelConstructor,
  type LanguageModelOptions,
} from './create-language-model.ts';
export { installLanguageModel, type InstallOptions } from './install-language-model.ts';
export type { Session } from './session.ts';
export type {
  AvailabilityOptions,
  CreateOptions,
  ExpectedContent,
  LanguageModelTool,
  ModelAvailability,
  Prompt,
  PromptContent,
  PromptMessage,
  PromptOptions,
} from './language-model-options.ts';
