/** The modules `byllm`, `byllm.lib`, `byllm.types` and `byllm.llm` (language.md 6.10): one set of names under all of them. */
import type { Members } from '../builtins/module.ts';
import { Image, Text, Video } from './media.ts';
import { ambientModel, MockLLM, MockToolCall, Model } from './models.ts';

export const byllmModules = ['byllm', 'byllm.lib', 'byllm.types', 'byllm.llm'] as const;

export function makeByllm(): Members {
  return { Model, MockLLM, MockToolCall, Image, Video, Text, llm: ambientModel };
}
