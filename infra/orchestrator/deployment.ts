/** Parts of a deployment, checked and complete: the argument of `makePlan`. */
import type { OrchestratorConfig } from '../../core/config/config.ts';

export interface DeployedApp {
  /** `app_name`. */
  readonly name: string;
  readonly version: string;
  readonly settings: OrchestratorConfig;
  /** The application file below the application directory: `main.svc`. */
  readonly entry: string;
  /** Path of its public address; '' at the root of the host. */
  readonly prefix: string;
  /** Folder in which the program keeps uploaded files; absolute, in the container. */
  readonly filesPath: string;
  /** Hexadecimal SHA-256 of the files the application is made of. */
  readonly sourceDigest: string;
  readonly source: AppSource;
  /** Store of the graph. */
  readonly store: 'sqlite' | 'postgres' | 'docdb' | 'dynamodb';
  /** `[plugins.scale.secrets]`, resolved. */
  readonly secrets: Texts;
  /** Secrets that stand elsewhere in the configuration, by the variables that set them. */
  readonly settingsSecrets: Texts;
  /** True when no key for tokens is configured: the deployment makes one. */
  readonly makesJwtSecret: boolean;
  /** Plain environment, resolved. */
  readonly env: Texts;
  /** Login of the image registry, for pulling. */
  readonly pullSecret?: string;
}

/** The application in an image; or as a bundle that a stock image unpacks. */
export type AppSource =
  | { readonly kind: 'image'; readonly image: string }
  | { readonly kind: 'bundle'; readonly image: string; readonly parts: readonly Uint8Array[]; readonly sha256: string };

export type Texts = Readonly<Record<string, string>>;

/** The application directory in the container. */
export const appDirectory = '/app';

/** Path of the command line below the application directory, in images and after unpacking. */
export const commandLine = 'node_modules/svc-scale/bin/svc.mjs';
