/** `time.struct_time`: what `time.gmtime()` and `datetime.timetuple()` give. */
import { makeNamedTuple } from '../../builtins/namedtuple.ts';

const fields = ['tm_year', 'tm_mon', 'tm_mday', 'tm_hour', 'tm_min', 'tm_sec', 'tm_wday', 'tm_yday', 'tm_isdst'];

export const StructTime = makeNamedTuple('struct_time', fields, {
  module: 'time',
  label: 'time.struct_time',
  takesSequence: true,
});
