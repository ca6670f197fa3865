/** One documented limit of a platform. Tables of them become the tables of docs/server/cloud.md#limits and docs/server/google-cloud.md#limits. */
export interface PlatformLimit {
  readonly about: string;
  readonly value: number;
  readonly unit: 'bytes' | 'seconds' | 'characters' | 'number';
  /** Page of the platform's documentation. */
  readonly source: string;
  /** `call`: held by the emulation; `server`: what runs there stays below; `deployment`: checked before anything is made. */
  readonly holds: 'call' | 'server' | 'deployment';
}
