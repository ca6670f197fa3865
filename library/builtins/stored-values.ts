/**
 * Stored form of values of standard modules in fields (docs/server/storage.md#records): dates and times as ISO 8601 text, durations in
 * microseconds. Modules that few programs import say so themselves.
 */

import { TimeValue } from '../modules/datetime/clock-time.ts';
import { DateValue } from '../modules/datetime/date.ts';
import { DateTimeValue } from '../modules/datetime/datetime.ts';
import { TimeDelta } from '../modules/datetime/timedelta.ts';
import { UUID } from '../modules/uuid.ts';
import { std } from '../registry.ts';
import { call } from '../values/calls/calls.ts';
import { callMethod } from '../values/objects/methods.ts';
import { registerStored, storeAs } from '../values/stored-form.ts';
import { str } from './conversions.ts';

const isoText = (value: unknown): string => String(callMethod(value, 'isoformat'));

// A datetime is a date too; its own property comes first.
storeAs('date', DateValue, isoText);
storeAs('datetime', DateTimeValue, isoText);
storeAs('time', TimeValue, isoText);
storeAs('timedelta', TimeDelta, (value) => String(value.$micros));
storeAs('uuid', UUID, (value) => String(call(str, value)));

for (const kind of ['date', 'datetime', 'time']) {
  registerStored(kind, (text) => callMethod(std('datetime')[kind], 'fromisoformat', text));
}
registerStored('timedelta', (micros) => new TimeDelta(BigInt(micros)));
registerStored('uuid', (text) => call(std('uuid').UUID, text));
