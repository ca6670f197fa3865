/** Module `enum`. */

import { auto, Enum, Flag, IntEnum, IntFlag, Marked, metaOf, StrEnum } from '../../values/enums.ts';
import { ValueError } from '../../values/exceptions.ts';
import { namedType } from '../../values/types.ts';
import { property } from '../decorators.ts';
import { functions, type Members } from '../module.ts';

function unique(cls: any): unknown {
  const { members, byName } = metaOf(cls);
  const aliases = [...byName]
    .filter(([name, member]) => member.name !== name)
    .map(([name, member]) => `${name} -> ${member.name}`);
  if (members.length !== byName.size)
    throw new ValueError(`duplicate values found in <enum '${metaOf(cls).name}'>: ${aliases.join(', ')}`);
  return cls;
}

export function makeEnum(): Members {
  const same = (x: unknown) => x;
  return {
    Enum,
    IntEnum,
    StrEnum,
    Flag,
    IntFlag,
    EnumMeta: namedType('type'),
    EnumType: namedType('type'),
    property,
    ...functions('enum', {
      auto: ['', auto],
      unique: ['enumeration', unique],
      member: ['value', (x: unknown) => new Marked(x, true)],
      nonmember: ['value', (x: unknown) => new Marked(x, false)],
      global_enum: ['cls', same],
      verify: ['*conditions', () => same],
    }),
  };
}
