/** An application for Google Cloud, checked and complete: what is deployed. */
import type { Config } from '../../../core/config/config.ts';
import type { BuiltImage } from '../../images/built-image.ts';
import type { Texts } from '../../orchestrator/deployment.ts';

export interface GoogleApp {
  /** `app_name`. */
  readonly name: string;
  readonly version: string;
  /** The application file below the application directory: `main.svc`. */
  readonly entry: string;
  readonly port: number;
  readonly readinessPath: string;
  readonly livenessPath: string;
  readonly settings: Config['scale']['gcp'];
  readonly hasSockets: boolean;
  /** Plain environment, resolved. */
  readonly env: Texts;
  /** Secrets by the variables that hold them. */
  readonly secrets: Texts;
  /** True when no key for tokens is configured: the deployment makes one. */
  readonly makesJwtSecret: boolean;
  /** Hexadecimal SHA-256 of the files the application is made of. */
  readonly sourceDigest: string;
  /** Absent where nothing is built, as in a dry run. */
  readonly image?: Pick<BuiltImage, 'digest' | 'push'>;
}

/** The variable of the key that a deployment makes itself. */
export const jwtVariable = 'JWT_SECRET';

/** Variables that are secrets, in their order. */
export function secretVariables({ secrets, makesJwtSecret }: Pick<GoogleApp, 'secrets' | 'makesJwtSecret'>): string[] {
  const names = Object.keys(secrets);
  return [...new Set([...names, ...(makesJwtSecret ? [jwtVariable] : [])])].toSorted();
}
