import { expect, test } from 'vitest';
import { enumMembers } from '../../lang/3-infer/classes/runtime-classes.ts';
import { metaOf } from '../../library/values/objects/enums.ts';
import { AccessLevel, APIProtocol, HTTPMethod, ScheduleTrigger } from './protocol-enums.ts';

test('the compiler knows the members of the enumerations', () => {
  for (const cls of [AccessLevel, APIProtocol, HTTPMethod, ScheduleTrigger]) {
    const { name, members } = metaOf(cls);
    expect(enumMembers(name)).toEqual(members.map((member) => member.name));
  }
});
