/** `unittest.mock.mock_open`: a stand-in for `open` whose file has the given contents. */

import { std } from '../../../registry.ts';
import { callkw } from '../../../values/calls/calls.ts';
import { native } from '../../../values/calls/signature.ts';
import { iter } from '../../../values/containers/iteration.ts';
import { getattr, setattr } from '../../../values/objects/attributes.ts';
import { callMethod } from '../../../values/objects/methods.ts';
import { Bytes } from '../../../values/text/bytes.ts';
import { DEFAULT } from './calls.ts';
import { MagicMock } from './mock.ts';

/** Every call of the stand-in begins to read at the start again; what is written is only noted. */
export function mockOpen(given?: unknown, data: unknown = ''): unknown {
  const opened: any = given ?? new MagicMock({ name: 'open' });
  const handle = getattr(opened, 'return_value');
  const memory = std('io');
  let file: unknown;
  const begin = (): unknown => {
    file = callkw(data instanceof Bytes ? memory.BytesIO : memory.StringIO, [data]);
    return DEFAULT;
  };
  begin();
  for (const name of ['read', 'readline', 'readlines'])
    setattr(
      getattr(handle, name),
      'side_effect',
      native(name, '*args', (args: unknown[] = []) => callMethod(file, name, ...args)),
    );
  setattr(getattr(handle, 'write'), 'return_value', null);
  setattr(getattr(handle, '__enter__'), 'return_value', handle);
  setattr(
    getattr(handle, '__iter__'),
    'side_effect',
    native('__iter__', '', () => iter(file)),
  );
  setattr(opened, 'side_effect', native('open', '*args, **kwargs', begin));
  return opened;
}
