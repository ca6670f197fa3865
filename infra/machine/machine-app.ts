/** An application as one machine runs it: the argument of everything that is written for it. */
export interface MachineApp {
  /** `app_name`: also the name of the unit, its user and its folders. */
  readonly name: string;
  readonly version: string;
  /** The application file below its folder. */
  readonly entry: string;
  readonly port: number;
  /** Name that users type: `notes.example.com`. */
  readonly host: string;
  readonly readinessPath: string;
  /** Folder of stored files below the application. */
  readonly storage: string;
  /** Names of secrets that somebody has to give. */
  readonly secrets: readonly string[];
  /** True when no key for tokens is configured: the installer makes one. */
  readonly makesJwtSecret: boolean;
  /** Plain variables. */
  readonly env: Readonly<Record<string, string>>;
  /** `x86_64` or `aarch64`, as `uname -m` says it. */
  readonly processor: string;
  /** Seconds a stop may take. */
  readonly stopSeconds: number;
  /** Largest body of a request, in bytes. */
  readonly bodyBytes: number;
  /** Seconds that an answer may take. */
  readonly answerSeconds: number;
}

/** Folder of the releases of an application. */
export const releasesFolder = ({ name }: MachineApp) => `/opt/${name}`;
/** Folder of its data. */
export const dataFolder = ({ name }: MachineApp) => `/var/lib/${name}`;
/** File with its secrets. */
export const secretsFile = ({ name }: MachineApp) => `/etc/${name}/env`;
