/** Dates and times as the fields `datetime` and `date` hold them. */
import { fromOutside } from '../../library/outside.ts';
import { std } from '../../library/registry.ts';
import { momentOf } from './convert.ts';
import type { CalendarDate, DateTime } from './types.ts';

const thisMoment = () => new Date(fromOutside('clock', Date.now));

/** This moment, in UTC. */
export function now(): DateTime {
  return momentOf(thisMoment()) as DateTime;
}

/** This day, in UTC. */
export function today(): CalendarDate {
  return (momentOf(thisMoment()) as any).date();
}

/** @throws ValueError when the text is no ISO 8601 date and time */
export function parseDateTime(text: string): DateTime {
  return (std('datetime') as any).datetime.fromisoformat(text);
}

/** @throws ValueError when the text is no ISO 8601 date */
export function parseDate(text: string): CalendarDate {
  return (std('datetime') as any).date.fromisoformat(text);
}

/** ISO 8601, as answers show it. */
export function isoText(moment: CalendarDate | DateTime): string {
  return (moment as any).isoformat();
}
