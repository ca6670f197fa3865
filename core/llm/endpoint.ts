/** Address and key of a model: its own options first, then the configuration, then the defaults of its provider. */

import { bare } from '../../library/values/numbers/float-box.ts';
import { RuntimeError, TypeError } from '../../library/values/objects/exceptions.ts';
import { reprOf, strOf } from '../../library/values/objects/repr.ts';
import type { ByllmConfig } from '../config/config.ts';
import { currentContext } from '../memory/context.ts';
import { ofKind } from './failures.ts';
import type { Model } from './models.ts';
import type { Endpoint, ModelOptions } from './types.ts';

interface Provider {
  readonly baseUrl: string;
  /** Variables that hold the key; none: no key is needed. */
  readonly keys: readonly string[];
}

/** Providers with a chat-completions address of their own, by the prefix of a model's name (`gemini/gemini-2.5-flash`). */
const providers: Readonly<Record<string, Provider>> = {
  openai: { baseUrl: 'https://api.openai.com/v1', keys: ['OPENAI_API_KEY'] },
  anthropic: { baseUrl: 'https://api.anthropic.com/v1', keys: ['ANTHROPIC_API_KEY'] },
  gemini: {
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  },
  groq: { baseUrl: 'https://api.groq.com/openai/v1', keys: ['GROQ_API_KEY'] },
  mistral: { baseUrl: 'https://api.mistral.ai/v1', keys: ['MISTRAL_API_KEY'] },
  deepseek: { baseUrl: 'https://api.deepseek.com/v1', keys: ['DEEPSEEK_API_KEY'] },
  xai: { baseUrl: 'https://api.x.ai/v1', keys: ['XAI_API_KEY'] },
  openrouter: { baseUrl: 'https://openrouter.ai/api/v1', keys: ['OPENROUTER_API_KEY'] },
  together_ai: { baseUrl: 'https://api.together.xyz/v1', keys: ['TOGETHER_API_KEY', 'TOGETHERAI_API_KEY'] },
  huggingface: { baseUrl: 'https://router.huggingface.co/v1', keys: ['HF_TOKEN', 'HUGGINGFACE_API_KEY'] },
  ollama: { baseUrl: 'http://localhost:11434/v1', keys: [] },
};

const byName: readonly (readonly [RegExp, string])[] = [
  [/^claude-/, 'anthropic'],
  [/^gemini-/, 'gemini'],
];

const standing: ByllmConfig = {
  defaultModel: '',
  baseUrl: '',
  apiKey: '',
  timeoutSeconds: 60,
  maxAttempts: 4,
  backoffMs: 500,
  maxRetries: 2,
  maxToolRounds: 10,
  maxAnswerBytes: 4_194_304,
};

/** The settings that hold for a model: the configuration, with what the model was given. */
export function settingsFor(options: ModelOptions): ByllmConfig {
  const { env } = process;
  const configured = currentContext().runtime.models?.() ?? {
    ...standing,
    defaultModel: env['SVC_LLM_MODEL'] ?? '',
    baseUrl: env['SVC_LLM_BASE_URL'] ?? env['OPENAI_BASE_URL'] ?? env['OPENAI_API_BASE'] ?? '',
    apiKey: env['SVC_LLM_API_KEY'] ?? '',
  };
  return {
    ...configured,
    timeoutSeconds: numberOf(options, 'timeout') ?? configured.timeoutSeconds,
    maxAttempts: 1 + (numberOf(options, 'num_retries') ?? configured.maxAttempts - 1),
    maxRetries: numberOf(options, 'retries') ?? numberOf(options, 'max_output_retries') ?? configured.maxRetries,
    maxToolRounds:
      numberOf(options, 'max_react_iterations') ?? numberOf(options, 'max_tool_rounds') ?? configured.maxToolRounds,
  };
}

function numberOf(options: ModelOptions, name: string): number | undefined {
  const value = bare(options.get(name));
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !(value >= 0))
    throw new TypeError(`${name} of a model must be a number of at least 0, not ${reprOf(value)}`);
  return value;
}

/** @throws RuntimeError that names the missing setting */
export function endpointOf(model: Model, options: ModelOptions, settings: ByllmConfig): Endpoint {
  const name = model.model_name !== '' ? model.model_name : settings.defaultModel;
  if (name === '') {
    throw ofKind(
      'setting',
      new RuntimeError(
        'no model is configured: set default_model in [plugins.byllm] of svc.toml or SVC_LLM_MODEL, or declare `glob llm = Model(model_name="…")`',
      ),
    );
  }
  const ownBase = textOf(options, 'base_url', 'api_base', 'host');
  const ownKey = textOf(options, 'api_key');
  const slash = name.indexOf('/');
  const prefix = slash > 0 ? name.slice(0, slash) : '';
  // A configured address serves every model, whatever its provider; `openai/` only says which protocol is spoken.
  const base = ownBase || settings.baseUrl;
  if (base !== '') {
    const key = ownKey || settings.apiKey || keyOf(providers[prefix]);
    return { url: resource(base), model: prefix === 'openai' ? name.slice(slash + 1) : name, key, settings };
  }
  const known = Object.hasOwn(providers, prefix) ? prefix : byName.find(([pattern]) => pattern.test(name))?.[1];
  if (known === undefined && prefix !== '')
    throw ofKind(
      'setting',
      new RuntimeError(
        `the provider of model ${name} is not known: set base_url in [plugins.byllm] of svc.toml or SVC_LLM_BASE_URL`,
      ),
    );
  const provider = providers[known ?? 'openai']!;
  const isOpenai = provider === providers['openai'];
  const key = ownKey || keyOf(provider) || (isOpenai ? settings.apiKey : keyFromOwn(settings));
  if (key === '' && provider.keys.length > 0) {
    throw ofKind(
      'setting',
      new RuntimeError(
        `no key for model ${name}: set ${provider.keys[0]}, or api_key in [plugins.byllm] of svc.toml, or base_url (SVC_LLM_BASE_URL) for a service without keys`,
      ),
    );
  }
  return { url: resource(provider.baseUrl), model: known === prefix ? name.slice(slash + 1) : name, key, settings };
}

// The key of one provider is never shown to another.
function keyFromOwn({ apiKey }: ByllmConfig): string {
  return apiKey === (process.env['OPENAI_API_KEY'] ?? '') ? '' : apiKey;
}

function keyOf(provider: Provider | undefined): string {
  return provider?.keys.map((name) => process.env[name] ?? '').find((key) => key !== '') ?? '';
}

function textOf(options: ModelOptions, ...names: readonly string[]): string {
  const found = names.map((name) => options.get(name)).find((value) => value !== undefined && value !== null);
  return found === undefined ? '' : strOf(found);
}

function resource(base: string): string {
  let url: URL;
  try {
    url = new URL(base);
  } catch {
    throw new RuntimeError('base_url of the model service is not an address such as https://host/v1');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new RuntimeError('base_url of the model service must begin with http:// or https://');
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/chat/completions') ? path : `${path}/chat/completions`;
  return url.href;
}
