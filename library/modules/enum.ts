/** Module `enum`. */

import { property } from '../builtins/decorators.ts';
import { functions, type Members } from '../builtins/module.ts';
import { native } from '../values/calls/signature.ts';
import { auto, Enum, enumeration, Flag, IntEnum, IntFlag, Marked, metaOf, StrEnum } from '../values/objects/enums.ts';
import { ValueError } from '../values/objects/exceptions.ts';
import { reprOf } from '../values/objects/repr.ts';
import { namedType } from '../values/objects/types.ts';

/** Names that mean a member of another name. */
const aliasesOf = (cls: any) => [...metaOf(cls).byName].filter(([name, member]) => member.name !== name);

function unique(cls: any): unknown {
  const aliases = aliasesOf(cls).map(([name, member]) => `${name} -> ${member.name}`);
  if (aliases.length > 0)
    throw new ValueError(`duplicate values found in <enum '${metaOf(cls).name}'>: ${aliases.join(', ')}`);
  return cls;
}

class FlagBoundary extends StrEnum {}
enumeration(FlagBoundary, {
  name: 'FlagBoundary',
  module: 'enum',
  members: ['strict', 'conform', 'eject', 'keep'].map((word) => [word.toUpperCase(), word]),
});

class EnumCheck extends StrEnum {}
enumeration(EnumCheck, {
  name: 'EnumCheck',
  module: 'enum',
  members: [
    ['CONTINUOUS', 'no skipped integer values'],
    ['NAMED_FLAGS', 'multi-flag aliases may not contain unnamed flags'],
    ['UNIQUE', 'one name per value'],
  ],
});

/** Checks of an enum by name: each gives its complaint; undefined when it holds. */
const checks: Readonly<Record<string, (cls: any) => string | undefined>> = {
  UNIQUE(cls) {
    const aliases = aliasesOf(cls).map(([name, member]) => `${name} -> ${member.name}`);
    return aliases.length === 0 ? undefined : `aliases found in ${reprOf(cls)}: ${aliases.join(', ')}`;
  },
  CONTINUOUS(cls) {
    const values = metaOf(cls).members.map(({ value }) => Number(value));
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const isFlag = cls.prototype instanceof Flag;
    const missing: number[] = [];
    for (let n = isFlag ? low * 2 : low + 1; n < high; n = isFlag ? n * 2 : n + 1)
      if (!values.includes(n)) missing.push(n);
    if (missing.length === 0) return undefined;
    return `invalid ${isFlag ? 'flag' : 'enum'} ${reprOf(metaOf(cls).name)}: missing values ${missing.join(', ')}`;
  },
  NAMED_FLAGS(cls) {
    const { members, byName } = metaOf(cls);
    const known = members.reduce((bits, member) => bits | Number(member.value), 0);
    const unnamed = (member: Enum) => Number(member.value) & ~known;
    const names = [...byName].filter(([, member]) => unnamed(member) !== 0).map(([name]) => name);
    if (names.length === 0) return undefined;
    const bits = [...byName.values()].reduce((all, member) => all | unnamed(member), 0);
    const alias =
      names.length === 1 ? `alias ${names[0]} is` : `aliases ${names.slice(0, -1).join(', ')} and ${names.at(-1)} are`;
    const value = flagValues(bits).length === 1 ? 'value' : 'combined values of';
    return `invalid Flag ${reprOf(metaOf(cls).name)}: ${alias} missing ${value} 0x${bits.toString(16)} [use enum.show_flag_values(value) for details]`;
  },
};

function verify(conditions: readonly any[] = []): unknown {
  return native('verify', 'enumeration', (cls: any) => {
    for (const condition of conditions) {
      const complaint = checks[condition.name]?.(cls);
      if (complaint !== undefined) throw new ValueError(complaint);
    }
    return cls;
  });
}

/** The bits that are set, lowest first. */
function flagValues(value: any): number[] {
  const found: number[] = [];
  for (let bits = Number(value.value ?? value), bit = 1; bits > 0; bit *= 2) {
    if (bits % (bit * 2) === 0) continue;
    found.push(bit);
    bits -= bit;
  }
  return found;
}

export function makeEnum(): Members {
  const same = (x: unknown) => x;
  return {
    Enum,
    IntEnum,
    StrEnum,
    Flag,
    IntFlag,
    FlagBoundary,
    EnumCheck,
    ...Object.fromEntries(metaOf(FlagBoundary).byName),
    ...Object.fromEntries(metaOf(EnumCheck).byName),
    EnumMeta: namedType('type'),
    EnumType: namedType('type'),
    property,
    ...functions('enum', {
      auto: ['', auto],
      unique: ['enumeration', unique],
      member: ['value', (x: unknown) => new Marked(x, true)],
      nonmember: ['value', (x: unknown) => new Marked(x, false)],
      global_enum: ['cls', same],
      verify: ['*checks', verify],
      show_flag_values: ['value', flagValues],
    }),
  };
}
