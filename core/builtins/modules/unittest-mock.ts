/** Module `unittest.mock`. */
import type { Members } from '../module.ts';
import { AsyncMock, MagicMock, Mock } from './mock.ts';
import { Any, Call, DEFAULT, Sentinels } from './mock-calls.ts';
import { Patcher } from './mock-patch.ts';

export function makeUnittestMock(): Members {
  return {
    ANY: new Any(),
    AsyncMock,
    DEFAULT,
    MagicMock,
    Mock,
    NonCallableMock: Mock,
    call: new Call([], undefined),
    patch: new Patcher(),
    sentinel: new Sentinels(),
  };
}
