import type { Config } from '../../core/config/config.ts';

/** Tells whether calls may have a story: always in development, in production where `[studio]` asks for it. */
export function keepsStories({ mode, studio }: Pick<Config, 'mode' | 'studio'>): boolean {
  return mode !== 'production' || studio.enabled;
}
