import type { CommandArgs } from '../command.ts';
export async function buildMachine(_args: CommandArgs): Promise<number> {
  return 0;
}
