/** Module `unittest.mock`. */
import { native } from '../../values/signature.ts';
import type { Members } from '../module.ts';
import { AsyncMock, MagicMock, Mock } from './mock.ts';
import { Any, Call, DEFAULT, Sentinels } from './mock-calls.ts';
import { mockOpen } from './mock-open.ts';
import { Patcher } from './mock-patch.ts';

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
