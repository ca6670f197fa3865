/** The modules `unittest.mock` and `unittest`. */
import { SkipTest } from '../expectations.ts';
import type { Members } from '../module.ts';
import { std } from '../modules.ts';
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

/** Package `unittest`: its mocks, and what skips a test; tests are `test` blocks. */
export function makeUnittest(): Members {
  return {
    SkipTest,
    get mock() {
      return std('unittest.mock');
    },
  };
}
