/** Module `unittest.mock`. */

import type { Members } from '../../../builtins/module.ts';
import { native } from '../../../values/calls/signature.ts';
import { Any, Call, DEFAULT, Sentinels } from './calls.ts';
import { AsyncMock, MagicMock, Mock } from './mock.ts';
import { mockOpen } from './open.ts';
import { Patcher } from './patch.ts';

export function makeUnittestMock(): Members {
  return {
    ANY: new Any(),
    AsyncMock,
    DEFAULT,
    MagicMock,
    Mock,
    NonCallableMock: Mock,
    mock_open: native('mock_open', "mock=None, read_data=''", mockOpen),
    call: new Call([], undefined, '', false),
    patch: new Patcher(),
    sentinel: new Sentinels(),
  };
}
