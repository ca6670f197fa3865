import { readdirSync, readFileSync } from 'node:fs';

/** Processor seconds of PostgreSQL's processes below its first one, also of those that have ended. */
export function databaseSeconds(first) {
  let ticks = 0;
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const isFirst = Number(pid) === first;
      if (!isFirst && Number(fields[1]) !== first) continue;
      // The first process knows the time of its children that ended.
      ticks += Number(fields[11]) + Number(fields[12]) + (isFirst ? Number(fields[13]) + Number(fields[14]) : 0);
    } catch {
      // It has ended meanwhile.
    }
  }
  return ticks / 100;
}
