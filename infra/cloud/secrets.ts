/** Secrets of a configuration, as functions are given them: what stays out of their archives (docs/server/cloud.md#environment). Pure. */
import type { Config } from '../../core/config/config.ts';
import { defaultJwtSecret } from '../../core/config/options.ts';
import type { ConfigFile } from '../../core/config/resolve.ts';
import { keyPair } from '../orchestrator/input.ts';
import { type Lookup, resolveTexts, settingsSecrets } from '../orchestrator/settings-secrets.ts';

export interface FunctionSecrets {
  /** Values by the variable that functions find them under. */
  readonly texts: Readonly<Record<string, string>>;
  /** True when sign-ins need a secret that nobody has set. */
  readonly makesJwtSecret: boolean;
}

export interface SecretsRequest {
  readonly config: Config;
  readonly configFile: ConfigFile | undefined;
  /** The deploying machine's environment, with `.env`. */
  readonly lookup: Lookup;
  /** Contents of a key file named in the configuration. @throws when it cannot be read */
  readonly readKeyFile: (path: string) => string;
}

/** `unresolved`: named references that nothing resolves, `OPENAI_API_KEY is not set`. */
export function functionSecrets(request: SecretsRequest): FunctionSecrets | { readonly unresolved: readonly string[] } {
  const { config, configFile, lookup, readKeyFile } = request;
  const named = resolveTexts(config.scale.secrets, lookup);
  const written =
    configFile === undefined
      ? { texts: {}, unresolved: [] }
      : settingsSecrets(configFile.root, config.profile, (name) => named.texts[name] ?? lookup(name));
  const unresolved = [...new Set([...named.unresolved, ...written.unresolved])];
  if (unresolved.length > 0) return { unresolved };
  const { algorithm, secret } = config.scale.jwt;
  const isShared = algorithm.startsWith('HS');
  return {
    texts: { ...written.texts, ...(isShared ? {} : keyPair(config, readKeyFile)), ...named.texts },
    makesJwtSecret: isShared && (secret === defaultJwtSecret || secret === 'auto'),
  };
}
